/* RC6-32/20/16 (Rivest and others, The RC6 block cipher, 1998): words of 32 bits, 20 rounds and a key of 16
 * bytes. */

#ifndef RC6_H
#define RC6_H

#include <stdint.h>

enum { RC6_KEY_BYTES = 16, RC6_BLOCK = 16, RC6_ROUNDS = 20, RC6_WORDS = 2 * (RC6_ROUNDS + 2) };

typedef struct {
    uint32_t s[RC6_WORDS];
} RC6_KEYS;

void rc6_expand(RC6_KEYS *keys, const uint8_t key[RC6_KEY_BYTES]);
void rc6_encrypt(const RC6_KEYS *keys, const uint8_t text[RC6_BLOCK], uint8_t result[RC6_BLOCK]);
void rc6_decrypt(const RC6_KEYS *keys, const uint8_t text[RC6_BLOCK], uint8_t result[RC6_BLOCK]);

#endif
