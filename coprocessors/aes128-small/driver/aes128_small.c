/* Driver of: AES-128 encryption, a round a cycle, with S-boxes of logic. */

#include "aes128_small_registers.h"

void aes128_small_run(uintptr_t base,
                      const uint32_t *key,
                      const uint32_t *text,
                      uint32_t *result,
                      uint32_t command)
{
    for (unsigned word = 0; word < 4; word++)
        aes128_small_write_key(base, word, key[word]);
    for (unsigned word = 0; word < 4; word++)
        aes128_small_write_text(base, word, text[word]);
    aes128_small_write_control(base, command);
    while (!(aes128_small_read_status(base) & AES128_SMALL_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 4; word++)
        result[word] = aes128_small_read_result(base, word);
}
