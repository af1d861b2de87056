/* Bytes of a column, a word whose lowest byte is in row 0, and their substitution by a table. */

#ifndef AES_WORDS_H
#define AES_WORDS_H

#include "aes.h"

extern const uint8_t AES(sbox)[256];
extern const uint8_t AES(constants)[12];

/* Byte n of a word, from the lowest on. */
#define AES_BYTE(word, n) ((word) >> (8 * (n)) & 0xff)

/* The substitution of four bytes that become a column. */
static inline uint32_t aes_looked_up(const uint8_t table[256], uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (uint32_t)table[AES_BYTE(a, 0)] | (uint32_t)table[AES_BYTE(b, 1)] << 8 |
           (uint32_t)table[AES_BYTE(c, 2)] << 16 | (uint32_t)table[d >> 24] << 24;
}

/* The substitution of each byte. */
static inline uint32_t aes_substituted(uint32_t word)
{
    return aes_looked_up(AES(sbox), word, word, word, word);
}

/* The same of a word that is turned by a byte, byte 1 first. */
static inline uint32_t aes_substituted_turned(uint32_t word)
{
    const uint8_t *table = AES(sbox);
    return (uint32_t)table[AES_BYTE(word, 1)] | (uint32_t)table[AES_BYTE(word, 2)] << 8 |
           (uint32_t)table[word >> 24] << 16 | (uint32_t)table[AES_BYTE(word, 0)] << 24;
}

#endif
