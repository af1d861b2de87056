/* AES-128 (FIPS 197): key expansion, and encryption of a block. */

#ifndef AES128_H
#define AES128_H

#include <stdint.h>

enum { AES128_BYTES = 16, AES128_ROUNDS = 10 };

/* Round keys as words, byte 0 lowest; the first round key is the key. */
typedef struct {
    uint32_t w[4 * (AES128_ROUNDS + 1)];
} AES128_KEYS;

void aes128_expand(AES128_KEYS *keys, const uint8_t key[AES128_BYTES]);
void aes128_encrypt(const AES128_KEYS *keys, const uint8_t text[AES128_BYTES],
                    uint8_t result[AES128_BYTES]);

/* The S-box (section 5.1.1). */
extern const uint8_t aes128_sbox[256];

/* Load and store of words, byte 0 lowest. */
static inline uint32_t aes128_load(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void aes128_store(uint8_t *at, uint32_t word)
{
    at[0] = (uint8_t)word;
    at[1] = (uint8_t)(word >> 8);
    at[2] = (uint8_t)(word >> 16);
    at[3] = (uint8_t)(word >> 24);
}

#endif
