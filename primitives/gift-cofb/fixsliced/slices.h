/* GIFT-128 without its bit permutation, after Adomnicai, Najm, Peyrin, "Fixslicing: A New GIFT Representation", TCHES
 * 2020.
 *
 * The bit permutation is a different one for each of the four words. Here the fourth word keeps its bit order; the
 * others are permuted so that the bits of a nibble are aligned again. The bit order differs from the specification's,
 * equally in all words, and agrees with it again after five rounds: `step` counts these, from 0 to 4. */

#ifndef SLICES_H
#define SLICES_H

#include "bytes.h"

/* SubCells (GIFT-COFB v1.1, section 2.3), with the final swap of two words. */
static inline void gift_substitute(uint32_t s[4])
{
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3];
    b ^= a & c;
    a ^= b & d;
    c ^= a | b;
    d ^= c;
    b ^= d;
    c ^= a & b;
    s[0] = ~d, s[1] = b, s[2] = c, s[3] = a;
}

/* Rotates fields of a word: bits under the mask come from the right shift, all others from the left shift. */
static inline uint32_t gift_turned(uint32_t word, uint32_t mask, unsigned up, unsigned down)
{
    uint32_t above = word >> down, below = word << up;
    return ((above ^ below) & mask) ^ below;
}

/* Masks of the bits that wrap around when fields of 4, 8 and 16 bits are rotated, in the order of their use. They are
 * in a file of their own: compilers that know the values replace one mask by two. */
extern const uint32_t gift_masks[10];

/* The remaining permutation of a step: rotations within nibbles, halfwords, bit pairs, bytes and words. */
static inline void gift_move(uint32_t s[4], unsigned step)
{
    const uint32_t *mask = gift_masks;
    if (step == 0) {
        s[0] = gift_turned(s[0], mask[0], 3, 1);
        s[1] = gift_turned(s[1], mask[1], 2, 2);
        s[2] = gift_turned(s[2], mask[2], 1, 3);
    } else if (step == 1) {
        s[0] = gift_turned(s[0], mask[3], 12, 4);
        s[1] = gift_turned(s[1], mask[4], 8, 8);
        s[2] = gift_turned(s[2], mask[5], 4, 12);
    } else if (step == 2) {
        s[0] = s[0] >> 16 | (((s[0] << 15 ^ s[0] << 17) & mask[6]) ^ s[0] << 17);
        s[1] = gift_turned(s[1], mask[6], 1, 1);
        s[2] = s[2] << 16 | (((s[2] >> 15 ^ s[2] >> 17) & mask[6]) ^ s[2] >> 15);
    } else if (step == 3) {
        s[0] = gift_turned(s[0], mask[7], 2, 6);
        s[1] = gift_turned(s[1], mask[8], 4, 4);
        s[2] = gift_turned(s[2], mask[9], 6, 2);
    } else {
        s[0] = rotl32(s[0], 8);
        s[1] = rotl32(s[1], 16);
        s[2] = rotl32(s[2], 24);
    }
}

/* Swaps the bits under a mask with those `above` bits higher. */
static inline uint32_t gift_exchanged(uint32_t word, uint32_t mask, unsigned above)
{
    uint32_t change = (word ^ word >> above) & mask;
    return word ^ change ^ change << above;
}

/* A word of the key in the bit order that the block has after a step. */
static inline uint32_t gift_arranged(uint32_t word, unsigned step)
{
    if (step == 4) {
        return word;
    }
    word = gift_exchanged(word, 0xf0f0, 12);
    if (step == 0) {
        word = gift_exchanged(gift_exchanged(word, 0x00cc00cc, 6), 0x0a0a0a0a, 3);
        return gift_exchanged(word, 0x11111111, 3);
    }
    if (step == 1) {
        word = gift_exchanged(gift_exchanged(word, 0xaaaa, 15), 0x11111111, 3);
        return gift_exchanged(word, 0x000f000f, 12);
    }
    if (step == 2) {
        word = gift_exchanged(gift_exchanged(word, 0x0a0a0a0a, 3), 0x03030303, 6);
    } else {
        word = gift_exchanged(gift_exchanged(word, 0x00cc00cc, 6), 0xaaaa, 15);
    }
    return gift_exchanged(word, 0xff, 24);
}

/* Key state update: moves the halfwords by two, and rotates the last two. */
static inline void gift_next_key(uint32_t key[4])
{
    uint32_t last = key[3];
    key[3]        = key[2];
    key[2]        = key[1];
    key[1]        = key[0];
    key[0] = (last >> 2 & 0x3fff0000) | (last << 14 & 0xc0000000) | (last >> 12 & 0xf) | (last << 4 & 0xfff0);
}

/* The round constants, with bit 31, in the bit order of the block. */
extern const uint32_t gift_constants[40];

#endif
