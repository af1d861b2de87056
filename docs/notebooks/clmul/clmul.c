/* A product without carries, modulo x^32, a bit at a time and without a branch. */

#include <stdint.h>

uint32_t clmul(uint32_t a, uint32_t b);

uint32_t clmul(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (int bit = 0; bit < 32; bit++) {
        product ^= a & -(b & 1);
        a <<= 1;
        b >>= 1;
    }
    return product;
}
