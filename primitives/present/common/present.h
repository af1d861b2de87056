/* PRESENT with a key of 80 or 128 bits (Bogdanov and others, CHES 2007; ISO/IEC 29192-2), keys and blocks with the
 * highest byte first. PRESENT_KEY_BYTES, 10 or 16, selects the size. */

#ifndef PRESENT_H
#define PRESENT_H

#include <stdint.h>

#if PRESENT_KEY_BYTES == 16
#define present_expand         present128_expand
#define present_encrypt        present128_encrypt
#define present_decrypt        present128_decrypt
#define present_expand_decrypt present128_expand_decrypt
#else
#define present_expand         present80_expand
#define present_encrypt        present80_encrypt
#define present_decrypt        present80_decrypt
#define present_expand_decrypt present80_expand_decrypt
#endif

enum { PRESENT_ROUNDS = 31 };

/* A round key for each round and a final one, in the order and format of the implementation; or the key alone, as
 * words, highest first, if round keys are computed on the fly. Implementations with masks begin with random bytes: the
 * caller fills them with fresh ones before each block; with zeros the result is the same, and nothing is masked. */
typedef struct {
#if defined PRESENT_KEY_RANDOM
    uint8_t random[8];
#endif
#if defined PRESENT_KEY_ONLY
    uint32_t word[4];
#elif defined PRESENT_KEY_WORDS
    uint32_t round[PRESENT_ROUNDS + 1][2];
#else
    uint8_t round[8 * PRESENT_ROUNDS + PRESENT_KEY_BYTES];
#endif
} PRESENT_KEYS;

void present_expand(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES]);
void present_encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8]);
void present_decrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8]);

/* Round keys for decryption, in implementations in which they differ. */
void present_expand_decrypt(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES]);

#endif
