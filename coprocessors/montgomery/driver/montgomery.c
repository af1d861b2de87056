/* Driver of: Montgomery multiplication of 256 bits, four bits a cycle. */

#include "montgomery_registers.h"

void montgomery_run(uintptr_t base,
                    const uint32_t *x,
                    const uint32_t *y,
                    const uint32_t *m,
                    uint32_t *z,
                    uint32_t command)
{
    for (unsigned word = 0; word < 8; word++)
        montgomery_write_x(base, word, x[word]);
    for (unsigned word = 0; word < 8; word++)
        montgomery_write_y(base, word, y[word]);
    for (unsigned word = 0; word < 8; word++)
        montgomery_write_m(base, word, m[word]);
    montgomery_write_control(base, command);
    while (!(montgomery_read_status(base) & MONTGOMERY_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 8; word++)
        z[word] = montgomery_read_z(base, word);
}
