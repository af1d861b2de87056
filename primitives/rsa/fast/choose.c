/* One of two numbers. In a file of its own, for a compiler that sees where the mask comes from may branch. */

#include "fast.h"

void number_choose(uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t mask, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        z[i] = b[i] ^ ((a[i] ^ b[i]) & mask);
    }
}
