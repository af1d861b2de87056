/* Poly1305 (RFC 8439, section 2.5) in little memory, on data padded to whole blocks (section 2.8). */

#ifndef POLY1305_H
#define POLY1305_H

#include "bytes.h"

enum { POLY1305_BLOCK_BYTES = 16, POLY1305_KEY_WORDS = 4 };

typedef struct {
    uint32_t h[POLY1305_KEY_WORDS + 1]; /* accumulator, below 5 * 2^128 */
    uint32_t r[POLY1305_KEY_WORDS];
} POLY1305;

void poly1305_init(POLY1305 *mac, const uint32_t r[POLY1305_KEY_WORDS]);

/* Processes data, padded with zeros to whole blocks. Returns its stack depth. */
uintptr_t poly1305_update(POLY1305 *mac, const uint8_t *data, size_t size);

/* Leaves the tag, as words, in h. */
void poly1305_final(POLY1305 *mac, const uint32_t s[POLY1305_KEY_WORDS]);

#endif
