/* Constant-time selection of one of two numbers. It is in a file of its own, because a compiler that knows the origin
 * of the mask may branch on it. */

#include "fast.h"

void number_choose(NUMBER *z, const NUMBER *a, const NUMBER *b, uint32_t mask)
{
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        z->w[i] = b->w[i] ^ ((a->w[i] ^ b->w[i]) & mask);
    }
}
