/* The block function of ChaCha20 with no copy of its input (RFC 8439, section 2.3). */

#ifndef CHACHA20_BLOCK_H
#define CHACHA20_BLOCK_H

#include "chacha20.h"

/* Makes a block of key stream, in words. Tells how deep the stack went. */
uintptr_t chacha20_block(uint32_t x[CHACHA20_WORDS], const uint8_t key[CHACHA20_KEY_BYTES], uint32_t counter,
                         const uint8_t nonce[CHACHA20_NONCE_BYTES]);

/* Adds up to a block of key stream to text, from byte `first` of the key stream on. */
void chacha20_add(const uint32_t x[CHACHA20_WORDS], unsigned first, const uint8_t *text, uint8_t *result,
                  size_t size);

#endif
