/* Driver of: Trivium, 32 bits a cycle. */

#include "trivium_registers.h"

void trivium_run(uintptr_t base,
                 const uint32_t *key,
                 const uint32_t *iv,
                 uint32_t *stream,
                 uint32_t command)
{
    for (unsigned word = 0; word < 3; word++)
        trivium_write_key(base, word, key[word]);
    for (unsigned word = 0; word < 3; word++)
        trivium_write_iv(base, word, iv[word]);
    trivium_write_control(base, command);
    while (!(trivium_read_status(base) & TRIVIUM_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 4; word++)
        stream[word] = trivium_read_stream(base, word);
}
