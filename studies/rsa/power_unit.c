/* z = x^e by the coprocessor, one bit at a time: modulus, x and 1 cross the bus once, and the result at the end.
 *
 * A product with x or with 1 follows each square. A bit of the control word selects the factor, so that the sequence
 * of operations is independent of the exponent, without a table. */

#include "unit.h"

enum {
    SQUARE  = RSA_UNIT_CONTROL_FIRST | RSA_UNIT_CONTROL_SECOND,
    TIMES_X = RSA_UNIT_CONTROL_SECOND,
    TIMES_1 = RSA_UNIT_CONTROL_FIRST
};

void modulus_power(MODULUS *of, uint32_t *z, const uint32_t *x, const uint8_t *e, size_t size,
                   uint32_t *table)
{
    (void)table;
    unit_write_m(of->m, of->words);
    unit_write_x(of->one, of->words);
    unit_write_y(of->one, of->words);
    unit_multiply(0, of->words);
    unit_write_x(x, of->words);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        uint32_t is_one = (uint32_t)e[bit / 8] >> (7 - bit % 8) & 1;
        unit_multiply(SQUARE, of->words);
        /* Selects the command by arithmetic, which compilers do not turn into a branch. */
        unit_multiply(TIMES_1 + (TIMES_X - TIMES_1) * is_one, of->words);
    }
    unit_read(z, of->words);
}
