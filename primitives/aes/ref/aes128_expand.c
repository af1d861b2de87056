/* Key expansion (FIPS 197, section 5.2). */

#include "aes128.h"

static uint32_t substituted(uint32_t word)
{
    return (uint32_t)aes128_sbox[word & 0xff] | (uint32_t)aes128_sbox[word >> 8 & 0xff] << 8 |
           (uint32_t)aes128_sbox[word >> 16 & 0xff] << 16 | (uint32_t)aes128_sbox[word >> 24] << 24;
}

void aes128_expand(AES128_KEYS *keys, const uint8_t key[AES128_BYTES])
{
    uint32_t constant = 1;
    for (unsigned i = 0; i < 4; i++) {
        keys->w[i] = aes128_load(key + 4 * i);
    }
    for (unsigned i = 4; i < 4 * (AES128_ROUNDS + 1); i++) {
        uint32_t word = keys->w[i - 1];
        if (i % 4 == 0) {
            word     = substituted(word >> 8 | word << 24) ^ constant;
            constant = constant << 1 ^ (constant & 0x80 ? 0x11b : 0);
        }
        keys->w[i] = keys->w[i - 4] ^ word;
    }
}
