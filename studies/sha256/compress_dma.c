/* The compression function by the coprocessor; a DMA controller copies the block to it and the digest back. It keeps
 * the state of one message, as in compress_coprocessor.c. */

#include "cocrypt/device.h"
#include "sha256.h"
#include "sha256_registers.h"

void sha256_compress(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    const uint32_t base    = COCRYPT_COPROCESSOR;
    uint32_t       command = SHA256_CONTROL_START | SHA256_CONTROL_FIRST;
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        command = state[i] == sha256_initial[i] ? command : SHA256_CONTROL_START;
    }
    if (((uintptr_t)block & 3u) == 0) {
        device_copy(base + SHA256_BLOCK, (uint32_t)(uintptr_t)block, SHA256_BLOCK_BYTES / 4);
    } else {
        for (unsigned i = 0; i < SHA256_BLOCK_BYTES / 4; i++) {
            sha256_write_block(base, i, __builtin_bswap32(sha256_load(block + 4 * i)));
        }
    }
    sha256_write_control(base, command);
    while (!(sha256_read_status(base) & SHA256_STATUS_DONE)) {
    }
    device_copy((uint32_t)(uintptr_t)state, base + SHA256_DIGEST, SHA256_WORDS);
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        state[i] = __builtin_bswap32(state[i]);
    }
}
