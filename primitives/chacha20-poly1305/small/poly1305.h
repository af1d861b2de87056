/* Poly1305 (RFC 8439, section 2.5) in little code, on data padded to whole blocks (section 2.8). */

#ifndef POLY1305_H
#define POLY1305_H

#include "bytes.h"

enum { POLY1305_TAG_BYTES = 16, POLY1305_BLOCK_BYTES = 16, POLY1305_WORDS = 5, POLY1305_KEY_WORDS = 8 };

typedef struct {
    uint32_t h[POLY1305_WORDS];     /* accumulator, below 5 * 2^128 */
    uint32_t r[POLY1305_KEY_WORDS]; /* 0; 5 / 4 of r1 to r3; r0 to r3 */
    uint32_t s[4];                  /* added to the accumulator at the end */
} POLY1305;

void poly1305_init(POLY1305 *mac, const uint32_t key[POLY1305_KEY_WORDS]);

/* Adds a block, whose last word is 1, and multiplies by r. Returns its stack depth. */
uintptr_t poly1305_block(POLY1305 *mac, const uint32_t block[POLY1305_WORDS]);

/* Processes data, padded with zeros to whole blocks. Returns its stack depth. */
uintptr_t poly1305_update(POLY1305 *mac, const uint8_t *data, size_t size);
void poly1305_final(POLY1305 *mac, uint8_t tag[POLY1305_TAG_BYTES]);

#endif
