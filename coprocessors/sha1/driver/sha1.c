/* Driver of: SHA-1, a step a cycle. */

#include "sha1_registers.h"

void sha1_run(uintptr_t base, const uint32_t *block, uint32_t *digest, uint32_t command)
{
    for (unsigned word = 0; word < 16; word++)
        sha1_write_block(base, word, block[word]);
    sha1_write_control(base, command);
    while (!(sha1_read_status(base) & SHA1_STATUS_DONE))
        ;
    for (unsigned word = 0; word < 5; word++)
        digest[word] = sha1_read_digest(base, word);
}
