/* SPECK-64/128 (Beaulieu and others, 2013), bytes ordered as in the designers' implementation guide: the
 * words of key and block from the lowest on, in each the lowest byte first. */

#ifndef SPECK_H
#define SPECK_H

#include <stdint.h>

enum { SPECK_ROUNDS = 27 };

/* Round keys, the first of which is used first; or the key's words alone, where the others are made on
 * the way. */
typedef struct {
#ifdef SPECK_KEY_ONLY
    uint32_t word[4];
#else
    uint32_t word[SPECK_ROUNDS];
#endif
} SPECK_KEYS;

void speck64_128_expand(SPECK_KEYS *keys, const uint8_t key[16]);
void speck64_128_encrypt(const SPECK_KEYS *keys, const uint8_t text[8], uint8_t result[8]);
void speck64_128_decrypt(const SPECK_KEYS *keys, const uint8_t text[8], uint8_t result[8]);

#endif
