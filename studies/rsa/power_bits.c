/* z = x^e by square-and-multiply-always, one bit at a time: shows the gain of windows. */

#include "bounded.h"

void modulus_power(MODULUS *of, uint32_t *z, const uint32_t *x, const uint8_t *e, size_t size,
                   uint32_t *table)
{
    number_copy(z, of->one, of->words);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        uint32_t mask = 0u - ((uint32_t)e[bit / 8] >> (7 - bit % 8) & 1);
        bounded_square(of, z, z);
        bounded_multiply(of, table, z, x);
        number_choose(z, table, z, mask, of->words);
    }
}
