/* The diffusion layer on words, highest byte first (RFC 5794, section 2.4.3), as four steps: inside each word, between
 * words, a permutation of bytes, and between words again. */

#ifndef ARIA_WORDS_H
#define ARIA_WORDS_H

#include "bytes.h"

/* Replaces every byte by the sum of the three others. */
static inline uint32_t aria_mixed(uint32_t word)
{
    uint32_t pairs = word ^ rotl32(word, 16);
    return word ^ pairs ^ rotl32(pairs, 8);
}

/* Swaps the bytes of each 16-bit half. */
static inline uint32_t aria_swapped(uint32_t word)
{
    return (word & 0x00ff00ff) << 8 | (word >> 8 & 0x00ff00ff);
}

/* Replaces every word by the sum of three words. */
static inline void aria_mix(uint32_t state[4])
{
    uint32_t first = state[0];
    state[0] ^= state[1] ^ state[2];
    uint32_t all = state[0] ^ state[3];
    state[1] ^= all;
    state[2] ^= all;
    state[3]  = all ^ first;
}

/* The diffusion layer after its first step, the one inside each word. */
static inline void aria_diffuse(uint32_t state[4])
{
    aria_mix(state);
    state[1] = aria_swapped(state[1]);
    state[2] = rotl32(state[2], 16);
    state[3] = rotl32(aria_swapped(state[3]), 16);
    aria_mix(state);
}

#endif
