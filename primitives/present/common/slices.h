/* Bit-sliced PRESENT: word k holds bit k of all nibbles in its low half; the high half is ignored.
 *
 * The index of a bit in the block consists of three pairs of bits; the permutation rotates the lowest pair to the top.
 * It is implemented by index bit swaps alone: before each S-box, the pair that is then lowest is made the pair that
 * selects the word. Of the other two pairs, the outer one is bits 3 and 2 of the position within the word, the inner
 * one bits 1 and 0. */

#ifndef SLICES_H
#define SLICES_H

#include <stdint.h>

/* Swaps the bits of a word at positions p + by with those of the other at p, for the positions p of a mask. */
static inline void present_exchange(uint32_t *a, uint32_t *b, unsigned by, uint32_t places)
{
    uint32_t change = (*a >> by ^ *b) & places;
    *b ^= change;
    *a ^= change << by;
}

/* Swaps the pair of index bits that selects the word with the outer pair. */
static inline void present_swap_outer(uint32_t x[4])
{
    present_exchange(&x[0], &x[2], 8, 0x00ff);
    present_exchange(&x[1], &x[3], 8, 0x00ff);
    present_exchange(&x[0], &x[1], 4, 0x0f0f);
    present_exchange(&x[2], &x[3], 4, 0x0f0f);
}

/* Swaps the pair of index bits that selects the word with the inner pair. */
static inline void present_swap_inner(uint32_t x[4])
{
    present_exchange(&x[0], &x[2], 2, 0x3333);
    present_exchange(&x[1], &x[3], 2, 0x3333);
    present_exchange(&x[0], &x[1], 1, 0x5555);
    present_exchange(&x[2], &x[3], 1, 0x5555);
}

/* Swaps the outer pair of index bits with the inner one, in both halves of a word. */
static inline uint32_t present_turned(uint32_t word)
{
    uint32_t change = (word >> 6 ^ word) & 0x00cc00cc;
    word ^= change ^ change << 6;
    change = (word >> 3 ^ word) & 0x0a0a0a0a;
    return word ^ change ^ change << 3;
}

/* Splits a block, given as two halves, into its quarters; and joins them. */
static inline void present_split(uint32_t x[4], uint32_t high, uint32_t low)
{
    x[0] = low;
    x[1] = low >> 16;
    x[2] = high;
    x[3] = high >> 16;
}

static inline uint32_t present_joined(uint32_t low, uint32_t high)
{
    return high << 16 | (low & 0xffff);
}

/* Collects nibbles from four words that hold one bit of each, under a mask. */
static inline uint32_t present_gathered(const uint32_t x[4], uint32_t mask)
{
    return (x[0] & mask) | (x[1] & mask) << 1 | (x[2] & mask) << 2 | (x[3] & mask) << 3;
}

/* The S-box on all nibbles, as a chain of involutions. It leaves two words swapped. */
static inline void present_substitute(uint32_t x[4])
{
    uint32_t a = x[0], b = x[1], c = x[2], d = x[3];
    b ^= c;
    d ^= b & c;
    c ^= b & d;
    b ^= a | c;
    a ^= d;
    d = ~d;
    c ^= d;
    c ^= b;
    b ^= a;
    d ^= b & c;
    x[0] = a, x[1] = b, x[2] = d, x[3] = c;
}

static inline void present_unsubstitute(uint32_t x[4])
{
    uint32_t a = x[0], b = x[1], d = x[2], c = x[3];
    d ^= b & c;
    b ^= a;
    c ^= b;
    c ^= d;
    d = ~d;
    a ^= d;
    b ^= a | c;
    c ^= b & d;
    d ^= b & c;
    b ^= c;
    x[0] = a, x[1] = b, x[2] = c, x[3] = d;
}

#endif
