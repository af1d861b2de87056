/* Tables that combine SubBytes and MixColumns of a byte in one word, one table for each row; and the inverses. */

#ifndef AES_TABLES_H
#define AES_TABLES_H

#include "aes_words.h"

typedef const uint32_t AES_TABLE[4][256];

extern AES_TABLE AES(forward);
extern AES_TABLE AES(backward);

/* The column from four bytes, one of each word. */
static inline uint32_t aes_column(AES_TABLE table, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return table[0][AES_BYTE(a, 0)] ^ table[1][AES_BYTE(b, 1)] ^ table[2][AES_BYTE(c, 2)] ^ table[3][d >> 24];
}

#endif
