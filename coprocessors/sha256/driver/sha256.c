/* Driver of: SHA-256, a round a cycle. */

#include "sha256_registers.h"

void sha256_run(uintptr_t base, const uint32_t *block, uint32_t *digest, uint32_t command)
{
    for (unsigned word = 0; word < 16; word++)
        sha256_write_block(base, word, block[word]);
    sha256_write_control(base, command);
    while (!(sha256_read_status(base) & SHA256_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 8; word++)
        digest[word] = sha256_read_digest(base, word);
}
