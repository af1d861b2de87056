/* Driver of the coprocessor rsa_unit, a Montgomery multiplier that can reuse its result as a factor. */

#include "unit.h"

void unit_wait(void)
{
    while (!(rsa_unit_read_status(UNIT) & RSA_UNIT_STATUS_DONE)) {
    }
}

/* Shorter numbers go into the upper half; the lower half is 0. */
void unit_write_x(const uint32_t *x, unsigned words)
{
    unsigned below = UNIT_WORDS - words;
    for (unsigned i = 0; i < below; i++) {
        rsa_unit_write_x(UNIT, i, 0);
    }
    for (unsigned i = 0; i < words; i++) {
        rsa_unit_write_x(UNIT, below + i, x[i]);
    }
}

void unit_write_y(const uint32_t *y, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        rsa_unit_write_y(UNIT, i, y[i]);
    }
    for (unsigned i = words; i < UNIT_WORDS; i++) {
        rsa_unit_write_y(UNIT, i, 0);
    }
}

void unit_write_m(const uint32_t *m, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        rsa_unit_write_m(UNIT, i, m[i]);
    }
    for (unsigned i = words; i < UNIT_WORDS; i++) {
        rsa_unit_write_m(UNIT, i, 0);
    }
}

void unit_read(uint32_t *z, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        z[i] = rsa_unit_read_z(UNIT, i);
    }
}

void unit_multiply(uint32_t command, unsigned words)
{
    uint32_t half = words < UNIT_WORDS ? RSA_UNIT_CONTROL_HALF : 0;
    rsa_unit_write_control(UNIT, command | half | RSA_UNIT_CONTROL_START);
    unit_wait();
}
