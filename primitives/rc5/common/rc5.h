/* RC5-32/12/16 (RFC 2040): words of 32 bits, 12 rounds and a key of 16 bytes. */

#ifndef RC5_H
#define RC5_H

#include <stdint.h>

enum { RC5_KEY_BYTES = 16, RC5_BLOCK = 8, RC5_ROUNDS = 12, RC5_WORDS = 2 * (RC5_ROUNDS + 1) };

typedef struct {
    uint32_t s[RC5_WORDS];
} RC5_KEYS;

void rc5_expand(RC5_KEYS *keys, const uint8_t key[RC5_KEY_BYTES]);
void rc5_encrypt(const RC5_KEYS *keys, const uint8_t text[RC5_BLOCK], uint8_t result[RC5_BLOCK]);
void rc5_decrypt(const RC5_KEYS *keys, const uint8_t text[RC5_BLOCK], uint8_t result[RC5_BLOCK]);

#endif
