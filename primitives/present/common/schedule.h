/* The key schedule of PRESENT on words (Bogdanov and others, CHES 2007, section 3 and appendix II), without branches or
 * addresses that depend on the key. The first word of the key is the highest one, and the first two are the round key;
 * for an 80-bit key, the third word holds the last 16 bits. */

#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "bytes.h"
#include "present.h"
#include "slices.h"

static inline void present_load_key(uint32_t word[4], const uint8_t key[PRESENT_KEY_BYTES])
{
    word[0] = load32_be(key);
    word[1] = load32_be(key + 4);
#if PRESENT_KEY_BYTES == 16
    word[2] = load32_be(key + 8);
    word[3] = load32_be(key + 12);
#else
    word[2] = (uint32_t)key[8] << 8 | key[9];
    word[3] = 0;
#endif
}

/* Mask of the nibbles of the highest byte that go through the S-box: both for a 128-bit key, the first one for an
 * 80-bit key. */
enum { PRESENT_TOP = PRESENT_KEY_BYTES == 16 ? 0x11000000 : 0x10000000 };

static inline uint32_t present_top(uint32_t word)
{
    uint32_t x[4] = {word, word >> 1, word >> 2, word >> 3};
    present_substitute(x);
    return present_gathered(x, PRESENT_TOP) | (word & ~(15U * PRESENT_TOP));
}

static inline uint32_t present_untop(uint32_t word)
{
    uint32_t x[4] = {word, word >> 1, word >> 2, word >> 3};
    present_unsubstitute(x);
    return present_gathered(x, PRESENT_TOP) | (word & ~(15U * PRESENT_TOP));
}

/* Computes the next key state from that of a round; rounds count from 1. */
static inline void present_forwards(uint32_t k[4], uint32_t round)
{
    uint32_t a = k[0], b = k[1], c = k[2], d = k[3];
#if PRESENT_KEY_BYTES == 16
    k[0] = c >> 3 | b << 29;
    k[1] = (d >> 3 | c << 29) ^ round >> 2;
    k[2] = (a >> 3 | d << 29) ^ round << 30;
    k[3] = b >> 3 | a << 29;
#else
    k[0] = b << 29 | c << 13 | a >> 19;
    k[1] = (a << 13 | b >> 19) ^ round >> 1;
    k[2] = (b >> 3 & 0xffff) ^ (round << 15 & 0xffff);
    k[3] = d;
#endif
    k[0] = present_top(k[0]);
}

/* Computes the key state of the given round from that of the next one. */
static inline void present_backwards(uint32_t k[4], uint32_t round)
{
    uint32_t a = present_untop(k[0]), b = k[1], c = k[2], d = k[3];
#if PRESENT_KEY_BYTES == 16
    b ^= round >> 2;
    c ^= round << 30;
    k[0] = c << 3 | d >> 29;
    k[1] = d << 3 | a >> 29;
    k[2] = a << 3 | b >> 29;
    k[3] = b << 3 | c >> 29;
#else
    b ^= round >> 1;
    c ^= round << 15 & 0xffff;
    k[0] = a << 19 | b >> 13;
    k[1] = b << 19 | c << 3 | a >> 29;
    k[2] = a >> 13 & 0xffff;
    k[3] = d;
#endif
}

#endif
