/* z = a b / R mod m by the coprocessor; all numbers cross the bus for each product. */

#include "unit.h"

void modulus_multiply(MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    unit_write_x(a, of->words);
    unit_write_y(b, of->words);
    unit_write_m(of->m, of->words);
    unit_multiply(0, of->words);
    unit_read(z, of->words);
}
