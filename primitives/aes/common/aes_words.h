/* The bytes of a column, which is a word with row 0 in its lowest byte, and their substitution by a table. */

#ifndef AES_WORDS_H
#define AES_WORDS_H

#include "aes.h"

extern const uint8_t AES(sbox)[256];
extern const uint8_t AES(constants)[12];

/* Byte n of a word; byte 0 is the lowest. */
#define AES_BYTE(word, n) ((word) >> (8 * (n)) & 0xff)

/* The column of four substituted bytes, one of each word. */
static inline uint32_t aes_looked_up(const uint8_t table[256], uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (uint32_t)table[AES_BYTE(a, 0)] | (uint32_t)table[AES_BYTE(b, 1)] << 8 |
           (uint32_t)table[AES_BYTE(c, 2)] << 16 | (uint32_t)table[d >> 24] << 24;
}

/* SubWord: substitutes each byte of a word. */
static inline uint32_t aes_substituted(uint32_t word)
{
    return aes_looked_up(AES(sbox), word, word, word, word);
}

/* SubWord of the word rotated by one byte, with byte 1 lowest. */
static inline uint32_t aes_substituted_turned(uint32_t word)
{
    const uint8_t *table = AES(sbox);
    return (uint32_t)table[AES_BYTE(word, 1)] | (uint32_t)table[AES_BYTE(word, 2)] << 8 |
           (uint32_t)table[word >> 24] << 16 | (uint32_t)table[AES_BYTE(word, 0)] << 24;
}

#endif
