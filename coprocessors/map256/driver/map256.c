/* Driver of: Modular arithmetic processor: add, subtract, multiply, divide for odd moduli of up to 256 bits. */

#include "map256_registers.h"

void map256_run(uintptr_t base,
                const uint32_t *x,
                const uint32_t *y,
                const uint32_t *m,
                uint32_t *z,
                uint32_t command)
{
    for (unsigned word = 0; word < 8; word++)
        map256_write_x(base, word, x[word]);
    for (unsigned word = 0; word < 8; word++)
        map256_write_y(base, word, y[word]);
    for (unsigned word = 0; word < 8; word++)
        map256_write_m(base, word, m[word]);
    map256_write_control(base, command);
    while (!(map256_read_status(base) & MAP256_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 8; word++)
        z[word] = map256_read_z(base, word);
}
