/* The key scheduling part of ARIA, in words of 32 bits (RFC 5794, section 2.2). */

#ifndef ARIA_SCHEDULE_H
#define ARIA_SCHEDULE_H

#include <stdint.h>

/* The constants C1 to C3; for 192-bit keys CK1 is C2, for 256-bit keys C3. */
static const uint32_t aria_constants[3][4] = {
    {0x517cc1b7, 0x27220a94, 0xfe13abe8, 0xfa9a6ee0},
    {0x6db14acc, 0x9e21c820, 0xff28b1d5, 0xef5de2b0},
    {0xdb92371d, 0x2126e970, 0x03249775, 0x04e8c90e},
};

/* Right rotations of the second word of a round key, one for every four round keys. */
static const uint8_t aria_rotations[5] = {19, 31, 67, 97, 109};

/* The constant CK1, CK2 or CK3 of a round over the key. */
static inline const uint32_t *aria_constant(unsigned round)
{
    return aria_constants[(round + (ARIA_KEY_BYTES - 16) / 8) % 3];
}

/* 32 bits of a round key, which is the sum of one word and the next one rotated right. */
static inline uint32_t aria_key_part(const uint32_t words[4][4], unsigned round, unsigned i)
{
    const uint32_t *next = words[(round + 1) & 3];
    unsigned        by   = aria_rotations[round / 4];
    unsigned        from = i - by / 32;
    return words[round & 3][i] ^ (next[from & 3] >> by % 32 | next[(from - 1) & 3] << (32 - by % 32));
}

#endif
