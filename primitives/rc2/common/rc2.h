/* RC2 (RFC 2268) with a key of 128 bits, and 128 effective bits. */

#ifndef RC2_H
#define RC2_H

#include <stdint.h>

enum { RC2_KEY_BYTES = 16, RC2_BLOCK = 8 };

typedef struct {
    uint16_t k[64];
} RC2_KEYS;

void rc2_expand(RC2_KEYS *keys, const uint8_t key[RC2_KEY_BYTES]);
void rc2_encrypt(const RC2_KEYS *keys, const uint8_t text[RC2_BLOCK], uint8_t result[RC2_BLOCK]);
void rc2_decrypt(const RC2_KEYS *keys, const uint8_t text[RC2_BLOCK], uint8_t result[RC2_BLOCK]);

/* PITABLE, a permutation of the bytes (section 2). */
extern const uint8_t rc2_pi[256];

#endif
