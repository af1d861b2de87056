/* One of two numbers. In a file of its own, for a compiler that sees where the mask comes from may branch. */

#include "fast.h"

void number_choose(NUMBER *z, const NUMBER *a, const NUMBER *b, uint32_t mask)
{
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        z->w[i] = b->w[i] ^ ((a->w[i] ^ b->w[i]) & mask);
    }
}
