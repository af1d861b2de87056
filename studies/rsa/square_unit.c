/* z = a^2 / R mod m by the coprocessor; all numbers cross the bus for each square. */

#include "unit.h"

void modulus_square(MODULUS *of, uint32_t *z, const uint32_t *a)
{
    unit_write_x(a, of->words);
    unit_write_y(a, of->words);
    unit_write_m(of->m, of->words);
    unit_multiply(0, of->words);
    unit_read(z, of->words);
}
