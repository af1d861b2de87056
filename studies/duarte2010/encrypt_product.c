/* x^y mod n with products of 64 bits, whose remainder the compiler's library computes. */

#include "../../primitives/rsa-toy/paper/rsa_toy.h"

uint32_t rsa_toy_encrypt(uint32_t x, uint32_t y, uint32_t n)
{
    uint32_t result = n > 1;
    for (; y != 0; y >>= 1) {
        if (y & 1) {
            result = (uint32_t)((uint64_t)result * x % n);
        }
        x = (uint32_t)((uint64_t)x * x % n);
    }
    return result;
}
