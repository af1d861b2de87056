/* Tables that hold SubBytes and MixColumns of a byte in one word, for each of the four rows; and back. */

#ifndef AES_TABLES_H
#define AES_TABLES_H

#include "aes.h"

extern const uint32_t AES(forward)[4][256];
extern const uint32_t AES(backward)[4][256];
extern const uint8_t  AES(sbox)[256];
extern const uint8_t  AES(constants)[12];

/* Byte n of a word, from the lowest on. */
#define AES_BYTE(word, n) ((word) >> (8 * (n)) & 0xff)

/* The substitution of each byte. */
static inline uint32_t aes_substituted(uint32_t word)
{
    const uint8_t *sbox = AES(sbox);
    return (uint32_t)sbox[AES_BYTE(word, 0)] | (uint32_t)sbox[AES_BYTE(word, 1)] << 8 |
           (uint32_t)sbox[AES_BYTE(word, 2)] << 16 | (uint32_t)sbox[word >> 24] << 24;
}

#endif
