/* The block function of ChaCha20 (RFC 8439, section 2.3). */

#ifndef CHACHA20_BLOCK_H
#define CHACHA20_BLOCK_H

#include "chacha20.h"

/* Forms the initial state, with block counter 0. */
void chacha20_start(uint32_t input[CHACHA20_WORDS], const uint8_t key[CHACHA20_KEY_BYTES],
                    const uint8_t nonce[CHACHA20_NONCE_BYTES]);

/* Encrypts or decrypts a block, and increments the counter. Returns its stack depth. */
uintptr_t chacha20_block(uint32_t input[CHACHA20_WORDS], const uint8_t *text, uint8_t *result);

#endif
