/* HIGHT (ISO/IEC 18033-3; Hong and others, CHES 2006), keys and blocks with the highest byte first, as the
 * standard writes them. Some programs have all bytes of key and block in the other order. */

#ifndef HIGHT_H
#define HIGHT_H

#include <stdint.h>

enum { HIGHT_ROUNDS = 32 };

/* The key as it came, where subkeys are made on the way; or the whitening keys of both ends as they stand in
 * the key, and for each round its four subkeys in a word. */
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
