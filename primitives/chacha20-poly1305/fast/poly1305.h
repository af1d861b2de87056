/* Poly1305 (RFC 8439, section 2.5) on data padded to whole blocks (section 2.8). */

#ifndef POLY1305_H
#define POLY1305_H

#include "bytes.h"

enum { POLY1305_KEY_BYTES = 32, POLY1305_TAG_BYTES = 16, POLY1305_BLOCK_BYTES = 16 };

typedef struct {
    uint32_t h[5]; /* accumulator, below 5 * 2^128 */
    uint32_t r[8]; /* r[4] to r[7]: r, lowest limb first; r[0]: 0; r[1] to r[3]: 5 / 4 of r[5] to r[7] */
    uint32_t s[4]; /* added to the accumulator at the end */
} POLY1305;

void poly1305_init(POLY1305 *mac, const uint8_t key[POLY1305_KEY_BYTES]);

/* Processes data, padded with zeros to whole blocks. Returns its stack depth. */
uintptr_t poly1305_update(POLY1305 *mac, const uint8_t *data, size_t size);

/* The caller wipes `mac`. */
void poly1305_final(POLY1305 *mac, uint8_t tag[POLY1305_TAG_BYTES]);

#endif
