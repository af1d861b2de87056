/* HIGHT (ISO/IEC 18033-3; Hong and others, CHES 2006), keys and blocks with the highest byte first, as the standard
 * writes them. Some programs reverse all bytes of key and block. */

#ifndef HIGHT_H
#define HIGHT_H

#include <stdint.h>

enum { HIGHT_ROUNDS = 32 };

/* The key itself, if subkeys are computed on the fly; otherwise the initial and final whitening keys as in the key, and
 * the four subkeys of each round in a word. */
typedef struct {
#ifdef HIGHT_KEY_ONLY
    uint8_t key[16];
#else
    uint32_t whitening[2];
    uint32_t round[HIGHT_ROUNDS];
#endif
} HIGHT_KEYS;

void hight_expand(HIGHT_KEYS *keys, const uint8_t key[16]);
void hight_encrypt(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8]);
void hight_decrypt(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8]);

#endif
