/* LEA-128 (Hong and others, WISA 2013; ISO/IEC 29192-2); all words with the lowest byte first. */

#ifndef LEA_H
#define LEA_H

#include <stdint.h>

enum { LEA_ROUNDS = 24 };

/* Four words per round, of which the second is used three times; or the key alone, if round keys are computed on the
 * fly. */
typedef struct {
#ifdef LEA_KEY_ONLY
    uint32_t word[4];
#else
    uint32_t word[4 * LEA_ROUNDS];
#endif
} LEA_KEYS;

void lea128_expand(LEA_KEYS *keys, const uint8_t key[16]);
void lea128_encrypt(const LEA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);
void lea128_decrypt(const LEA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);

#endif
