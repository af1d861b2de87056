/* Driver of: Multiplication in GF(2^163), four bits a cycle. */

#include "gf163_registers.h"

void gf163_run(uintptr_t base, const uint32_t *x, const uint32_t *y, uint32_t *z, uint32_t command)
{
    for (unsigned word = 0; word < 6; word++)
        gf163_write_x(base, word, x[word]);
    for (unsigned word = 0; word < 6; word++)
        gf163_write_y(base, word, y[word]);
    gf163_write_control(base, command);
    while (!(gf163_read_status(base) & GF163_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 6; word++)
        z[word] = gf163_read_z(base, word);
}
