/* The block function of ChaCha20 without a copy of its initial state (RFC 8439, section 2.3). */

#ifndef CHACHA20_BLOCK_H
#define CHACHA20_BLOCK_H

#include "chacha20.h"

/* Computes a block of key stream, as words. Returns its stack depth. */
uintptr_t chacha20_block(uint32_t x[CHACHA20_WORDS], const uint8_t key[CHACHA20_KEY_BYTES], uint32_t counter,
                         const uint8_t nonce[CHACHA20_NONCE_BYTES]);

/* Adds key stream from byte `first` on, up to the end of the block, to text. */
void chacha20_add(const uint32_t x[CHACHA20_WORDS], unsigned first, const uint8_t *text, uint8_t *result,
                  size_t size);

#endif
