/* Driver of: Keccak-f[1600], a round a cycle. */

#include "keccak_registers.h"

void keccak_run(uintptr_t base, const uint32_t *absorb, uint32_t *squeeze, uint32_t command)
{
    for (unsigned word = 0; word < 50; word++)
        keccak_write_absorb(base, word, absorb[word]);
    keccak_write_control(base, command);
    while (!(keccak_read_status(base) & KECCAK_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 50; word++)
        squeeze[word] = keccak_read_squeeze(base, word);
}
