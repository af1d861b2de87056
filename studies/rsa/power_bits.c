/* z = x^e, a bit at a time, with a product for each of them, wanted or not: what windows are worth. */

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
