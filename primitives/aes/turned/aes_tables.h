/* Tables that combine SubBytes and MixColumns of a byte in row 0 in one word, and the inverses; the columns for the
 * other rows are the same words rotated, for cores such as ARM's that rotate an operand in the same instruction. */

#ifndef AES_TABLES_H
#define AES_TABLES_H

#include "aes_words.h"
#include "bytes.h"

typedef const uint32_t AES_TABLE[256];

extern AES_TABLE AES(forward);
extern AES_TABLE AES(backward);

/* The column from four bytes, one of each word. */
static inline uint32_t aes_column(AES_TABLE table, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t sum = rotl32(table[d >> 24], 8) ^ table[AES_BYTE(c, 2)];
    sum          = rotl32(sum, 8) ^ table[AES_BYTE(b, 1)];
    return rotl32(sum, 8) ^ table[AES_BYTE(a, 0)];
}

#endif
