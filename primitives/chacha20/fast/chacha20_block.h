/* The block function of ChaCha20 (RFC 8439, section 2.3). */

#ifndef CHACHA20_BLOCK_H
#define CHACHA20_BLOCK_H

#include "chacha20.h"

/* Puts together what a block is made of, with 0 for the counter. */
void chacha20_start(uint32_t input[CHACHA20_WORDS], const uint8_t key[CHACHA20_KEY_BYTES],
                    const uint8_t nonce[CHACHA20_NONCE_BYTES]);

/* En- or decrypts a block, and counts on. Tells how deep the stack went. */
uintptr_t chacha20_block(uint32_t input[CHACHA20_WORDS], const uint8_t *text, uint8_t *result);

#endif
