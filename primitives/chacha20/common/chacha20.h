/* ChaCha20 (RFC 8439, section 2.4), with the block counter from 0. */

#ifndef CHACHA20_H
#define CHACHA20_H

#include "bytes.h"

enum { CHACHA20_KEY_BYTES = 32, CHACHA20_NONCE_BYTES = 12, CHACHA20_BLOCK_BYTES = 64, CHACHA20_WORDS = 16 };

typedef struct {
    uint32_t input[CHACHA20_WORDS]; /* constants, key, counter, nonce (section 2.3) */
    uint32_t block[CHACHA20_WORDS]; /* key stream, of which the first `used` bytes are consumed */
    uint32_t used;
} CHACHA20;

void chacha20_init(CHACHA20 *state, const uint8_t key[CHACHA20_KEY_BYTES],
                   const uint8_t nonce[CHACHA20_NONCE_BYTES]);
void chacha20_crypt(CHACHA20 *state, const uint8_t *text, uint8_t *result, size_t size);

#endif
