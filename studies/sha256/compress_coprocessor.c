/* The compression function (FIPS 180-4, section 6.2.2) by the coprocessor, which keeps the state of one message:
 * the initial state starts a new message. */

#include "cocrypt/device.h"
#include "sha256.h"
#include "sha256_registers.h"

void sha256_compress(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    uint32_t words[SHA256_BLOCK_BYTES / 4];
    uint32_t command = SHA256_CONTROL_START | SHA256_CONTROL_FIRST;
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        command = state[i] == sha256_initial[i] ? command : SHA256_CONTROL_START;
    }
    /* The coprocessor takes little-endian words. */
    for (unsigned i = 0; i < SHA256_BLOCK_BYTES / 4; i++) {
        words[i] = __builtin_bswap32(sha256_load(block + 4 * i));
    }
    sha256_run(COCRYPT_COPROCESSOR, words, state, command);
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        state[i] = __builtin_bswap32(state[i]);
    }
}
