/* Tables that hold SubBytes and MixColumns of a byte in row 0 in one word, and back; the columns of the other
 * rows are the same ones turned, for cores that rotate an operand on its way, as ARM's. */

#ifndef AES_TABLES_H
#define AES_TABLES_H

#include "aes_words.h"
#include "bytes.h"

typedef const uint32_t AES_TABLE[256];

extern AES_TABLE AES(forward);
extern AES_TABLE AES(backward);

/* The column that four bytes become, one of each word. */
static inline uint32_t aes_column(AES_TABLE table, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t sum = rotl32(table[d >> 24], 8) ^ table[AES_BYTE(c, 2)];
    sum          = rotl32(sum, 8) ^ table[AES_BYTE(b, 1)];
    return rotl32(sum, 8) ^ table[AES_BYTE(a, 0)];
}

#endif
