/* The matrices M0 and M1 on the four bytes of a word in parallel (RFC 6114, section 5.4). Each row has the coefficient
 * 1 for the byte itself, one coefficient for its neighbour in the same half, one for the byte two positions away, and
 * one for the fourth byte. */

#ifndef CLEFIA_MATRIX_H
#define CLEFIA_MATRIX_H

#include "bytes.h"

/* Multiplies each byte by x in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
static inline uint32_t clefia_doubled(uint32_t word)
{
    uint32_t high = word & 0x80808080;
    return (word ^ high) << 1 ^ ((high - (high >> 7)) & 0x1d1d1d1d);
}

/* Swaps the bytes of each 16-bit half. */
static inline uint32_t clefia_swapped(uint32_t word)
{
    return (word & 0x00ff00ff) << 8 | (word >> 8 & 0x00ff00ff);
}

/* Multiplies by M0, with the coefficients 1, 2, 4 and 6; or, if `second` is 1, by M1, with 1, 8, 2 and 10. */
static inline uint32_t clefia_multiplied(uint32_t word, unsigned second)
{
    uint32_t turned = rotl32(word, 16);
    uint32_t pairs  = clefia_swapped(word ^ turned);
    uint32_t others = turned ^ clefia_swapped(turned);
    if (second) {
        return word ^ clefia_doubled(others ^ clefia_doubled(clefia_doubled(pairs)));
    }
    return word ^ clefia_doubled(pairs ^ clefia_doubled(others));
}

#endif
