/* Driver of: AES-128 encryption under keys that never cross the bus. */

#include "aes128_sealed_registers.h"

void aes128_sealed_run(uintptr_t base, const uint32_t *text, uint32_t *result, uint32_t command)
{
    for (unsigned word = 0; word < 4; word++)
        aes128_sealed_write_text(base, word, text[word]);
    aes128_sealed_write_control(base, command);
    while (!(aes128_sealed_read_status(base) & AES128_SEALED_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 4; word++)
        result[word] = aes128_sealed_read_result(base, word);
}
