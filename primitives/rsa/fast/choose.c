/* Constant-time selection of one of two numbers. It is in a file of its own, because a compiler that knows the origin
 * of the mask may branch on it. */

#include "fast.h"

void number_choose(uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t mask, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        z[i] = b[i] ^ ((a[i] ^ b[i]) & mask);
    }
}
