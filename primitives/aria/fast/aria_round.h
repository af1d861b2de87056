/* Rounds with tables of words that include the diffusion inside a word (RFC 5794, section 2.4). */

#ifndef ARIA_ROUND_H
#define ARIA_ROUND_H

#include "aria.h"
#include "aria_words.h"

extern const uint32_t ARIA(table)[4][256];

/* SL1 on one word, with the diffusion inside it. */
static inline uint32_t aria_boxes1(uint32_t word)
{
    return ARIA(table)[0][word >> 24] ^ ARIA(table)[1][word >> 16 & 0xff] ^ ARIA(table)[2][word >> 8 & 0xff] ^
           ARIA(table)[3][word & 0xff];
}

/* SL2 on one word, with the diffusion inside it. Its S-boxes are those of SL1 rotated by two bytes, so that the tables
 * give a word with its halves swapped. */
static inline uint32_t aria_boxes2(uint32_t word)
{
    return ARIA(table)[2][word >> 24] ^ ARIA(table)[3][word >> 16 & 0xff] ^ ARIA(table)[0][word >> 8 & 0xff] ^
           ARIA(table)[1][word & 0xff];
}

/* An odd round (SL1), without AddRoundKey. */
static inline void aria_round1(uint32_t state[4])
{
    state[0] = aria_boxes1(state[0]);
    state[1] = aria_boxes1(state[1]);
    state[2] = aria_boxes1(state[2]);
    state[3] = aria_boxes1(state[3]);
    aria_diffuse(state);
}

/* An even round (SL2), without AddRoundKey; its byte permutation corrects the swapped halves. */
static inline void aria_round2(uint32_t state[4])
{
    state[0] = aria_boxes2(state[0]);
    state[1] = aria_boxes2(state[1]);
    state[2] = aria_boxes2(state[2]);
    state[3] = aria_boxes2(state[3]);
    aria_mix(state);
    state[0] = rotl32(state[0], 16);
    state[1] = rotl32(aria_swapped(state[1]), 16);
    state[3] = aria_swapped(state[3]);
    aria_mix(state);
}

#endif
