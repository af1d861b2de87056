/* Driver of: Modular arithmetic processor: add, subtract, multiply, divide for odd moduli of up to 192 bits. */

#include "map192_registers.h"

void map192_run(uintptr_t base,
                const uint32_t *x,
                const uint32_t *y,
                const uint32_t *m,
                uint32_t *z,
                uint32_t command)
{
    for (unsigned word = 0; word < 6; word++)
        map192_write_x(base, word, x[word]);
    for (unsigned word = 0; word < 6; word++)
        map192_write_y(base, word, y[word]);
    for (unsigned word = 0; word < 6; word++)
        map192_write_m(base, word, m[word]);
    map192_write_control(base, command);
    while (!(map192_read_status(base) & MAP192_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 6; word++)
        z[word] = map192_read_z(base, word);
}
