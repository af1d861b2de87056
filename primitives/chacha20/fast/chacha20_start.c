/* The initial state of ChaCha20 (RFC 8439, section 2.3). */

#include "chacha20_block.h"

void chacha20_start(uint32_t input[CHACHA20_WORDS], const uint8_t key[CHACHA20_KEY_BYTES],
                    const uint8_t nonce[CHACHA20_NONCE_BYTES])
{
    /* "expand 32-byte k" */
    input[0] = 0x61707865;
    input[1] = 0x3320646e;
    input[2] = 0x79622d32;
    input[3] = 0x6b206574;
    for (unsigned i = 0; i < 8; i++) {
        input[4 + i] = load32_le(key + 4 * i);
    }
    input[12] = 0;
    for (unsigned i = 0; i < 3; i++) {
        input[13 + i] = load32_le(nonce + 4 * i);
    }
}
