/* ChaCha20 (RFC 8439, section 2.4), with the block counter from 0; a partly used block is computed again when more of
 * it is needed. */

#ifndef CHACHA20_H
#define CHACHA20_H

#include "bytes.h"

enum { CHACHA20_KEY_BYTES = 32, CHACHA20_NONCE_BYTES = 12, CHACHA20_BLOCK_BYTES = 64, CHACHA20_WORDS = 16 };

typedef struct {
    uint8_t  key[CHACHA20_KEY_BYTES];
    uint8_t  nonce[CHACHA20_NONCE_BYTES];
    uint32_t counter; /* block that contains the next byte */
    uint32_t used;    /* bytes used of that block */
} CHACHA20;

void chacha20_init(CHACHA20 *state, const uint8_t key[CHACHA20_KEY_BYTES],
                   const uint8_t nonce[CHACHA20_NONCE_BYTES]);
void chacha20_crypt(CHACHA20 *state, const uint8_t *text, uint8_t *result, size_t size);

#endif
