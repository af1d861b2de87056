/* Tables that combine SubBytes and MixColumns of a byte in row 0 in one word, and the inverses; the columns for the
 * other rows are the same words rotated. */

#ifndef AES_TABLES_H
#define AES_TABLES_H

#include "aes_words.h"

typedef const uint32_t AES_TABLE[256];

extern AES_TABLE AES(forward);
extern AES_TABLE AES(backward);

/* The column from four bytes, one of each word. Left shifts and right shifts are summed separately: a rotation would
 * wait for two shifts, and compilers do not merge these sums into rotations. */
static inline uint32_t aes_column(AES_TABLE table, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = table[AES_BYTE(a, 0)], b = table[AES_BYTE(b, 1)], c = table[AES_BYTE(c, 2)], d = table[d >> 24];
    uint32_t up = ((d << 8 ^ c) << 8 ^ b) << 8 ^ a, down = ((b >> 8 ^ c) >> 8 ^ d) >> 8;
    return up ^ down;
}

#endif
