/* A round with tables of words (RFC 3713, sections 2.3.1 and 2.4.1). */

#ifndef CAMELLIA_FEISTEL_H
#define CAMELLIA_FEISTEL_H

#include "bytes.h"
#include "camellia.h"

/* The S-boxes s1 to s4, each combined with the function P. */
extern const uint32_t CAMELLIA(table)[4][256];

/* Adds F of one half to the other. The right word uses the S-boxes of the left one, rotated by one byte; P then adds
 * the sum of both words to the left word of the other half, and that sum plus the rotated left word to its right
 * word. */
static inline void camellia_feistel(const uint32_t from[2], uint32_t to[2], const uint32_t key[2])
{
    uint32_t left  = from[0] ^ key[0];
    uint32_t right = from[1] ^ key[1];
    left  = CAMELLIA(table)[0][left >> 24] ^ CAMELLIA(table)[1][left >> 16 & 0xff] ^
            CAMELLIA(table)[2][left >> 8 & 0xff] ^ CAMELLIA(table)[3][left & 0xff];
    right = CAMELLIA(table)[1][right >> 24] ^ CAMELLIA(table)[2][right >> 16 & 0xff] ^
            CAMELLIA(table)[3][right >> 8 & 0xff] ^ CAMELLIA(table)[0][right & 0xff] ^ left;
    to[0] ^= right;
    to[1] ^= right ^ rotr32(left, 8);
}

#endif
