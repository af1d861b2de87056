/* A round with tables of words (RFC 6114, sections 4.1 and 5). */

#ifndef CLEFIA_ROUND_H
#define CLEFIA_ROUND_H

#include "bytes.h"
#include "clefia.h"

/* For each byte of a word, highest first: its S-box combined with the matrix M0 or M1. */
extern const uint32_t clefia_table0[4][256];
extern const uint32_t clefia_table1[4][256];

static inline uint32_t clefia_f(const uint32_t table[4][256], uint32_t word)
{
    return table[0][word >> 24] ^ table[1][word >> 16 & 0xff] ^ table[2][word >> 8 & 0xff] ^
           table[3][word & 0xff];
}

/* A round. Instead of rotating the words, each round begins one word further, at `place`. */
static inline void clefia_round(uint32_t state[4], unsigned place, const uint32_t key[2])
{
    state[(place + 1) & 3] ^= clefia_f(clefia_table0, state[place] ^ key[0]);
    state[(place + 3) & 3] ^= clefia_f(clefia_table1, state[(place + 2) & 3] ^ key[1]);
}

#endif
