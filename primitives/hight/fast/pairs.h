/* The round of HIGHT (ISO/IEC 18033-3) on pairs of bytes.
 *
 * Bytes k and k + 4 of the block are the first and third byte of a word; a, b, c and d hold those for k = 0 to 3, and
 * their other bytes are 0. A round changes b and d, and rotates the block: d becomes the next a, and so on; when it
 * wraps around, its two bytes are swapped. */

#ifndef PAIRS_H
#define PAIRS_H

#include "bytes.h"
#include "hight.h"

#define HIGHT_PAIR 0x00ff00ffU

/* Guard bits above both bytes, so that a subtraction does not borrow from the other byte. */
#define HIGHT_BORROW 0x01000100U

/* F0(c) + subkey. The bits that a rotated byte loses at the top are added back at the bottom. Carries remain above the
 * bytes. */
static inline uint32_t hight_f0(uint32_t c, uint32_t subkeys)
{
    uint32_t wide = c << 1 ^ c << 2 ^ c << 7;
    return ((wide ^ wide >> 8) & HIGHT_PAIR) + (subkeys >> 8 & HIGHT_PAIR);
}

/* F1(a) ^ subkey. */
static inline uint32_t hight_f1(uint32_t a, uint32_t subkeys)
{
    uint32_t wide = a << 3 ^ a << 4 ^ a << 6;
    return (wide ^ wide >> 8 ^ subkeys) & HIGHT_PAIR;
}

static inline void hight_round(uint32_t a, uint32_t *b, uint32_t c, uint32_t *d, uint32_t subkeys)
{
    *b = (*b + hight_f1(a, subkeys)) & HIGHT_PAIR;
    *d = rotl32((*d ^ hight_f0(c, subkeys)) & HIGHT_PAIR, 16);
}

static inline void hight_unround(uint32_t a, uint32_t *b, uint32_t c, uint32_t *d, uint32_t subkeys)
{
    *b = ((*b | HIGHT_BORROW) - hight_f1(a, subkeys)) & HIGHT_PAIR;
    *d = (rotl32(*d, 16) ^ hight_f0(c, subkeys)) & HIGHT_PAIR;
}

/* Loads the pair of the bytes at[0] and at[4]; the bytes of a block are numbered from its end. */
static inline uint32_t hight_load(const uint8_t *at)
{
    return at[4] | (uint32_t)at[0] << 16;
}

static inline void hight_store(uint8_t *at, uint32_t pair)
{
    at[4] = (uint8_t)pair;
    at[0] = (uint8_t)(pair >> 16);
}

#endif
