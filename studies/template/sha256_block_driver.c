/* sha256_block of lib/checksum.c by the coprocessor `sha256`, which keeps the state between the blocks of a
 * message. What stands here replaces the function; its callers do not know. */

#include "sha256_registers.h"

#include "cocrypt/device.h"

#include <string.h>

void sha256_block(uint32_t state[8], const uint8_t block[64], int first);

void sha256_block(uint32_t state[8], const uint8_t block[64], int first)
{
    uint32_t words[16];
    memcpy(words, block, sizeof words);
    sha256_run(COCRYPT_COPROCESSOR, words, state,
               SHA256_CONTROL_START | (first ? SHA256_CONTROL_FIRST : 0));
    /* The digest comes as it lies in memory, and numbers lie there with their lowest byte first. */
    for (int at = 0; at < 8; at++) {
        uint32_t word = state[at];
        state[at] = word << 24 | (word & 0xff00u) << 8 | (word >> 8 & 0xff00u) | word >> 24;
    }
}
