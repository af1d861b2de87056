/* SPECK-64/128 (Beaulieu and others, 2013), with the byte order of the designers' implementation guide: the words of
 * key and block from the lowest on, each with its lowest byte first. */

#ifndef SPECK_H
#define SPECK_H

#include <stdint.h>

enum { SPECK_ROUNDS = 27 };

/* Round keys in the order of encryption; or the key alone, if round keys are computed on the fly. */
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
