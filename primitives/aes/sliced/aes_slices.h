/* A bit-sliced block: words a to d hold bits 0 to 3 of every byte, and bits 4 to 7. Byte r of such a word is row r, in
 * which column c is at bit c and, for the higher bit of the two, at bit c + 4. No branch and no address depends on
 * data. */

#ifndef AES_SLICES_H
#define AES_SLICES_H

#include "aes_block.h"
#include "bytes.h"

#define AES_LOW 0x0f0f0f0fu

/* Swaps the bits of `other` under `mask` with those of `one` that are `places` bits higher. */
#define AES_EXCHANGE(one, other, places, mask)                                                        \
    do {                                                                                              \
        uint32_t both = ((one) >> (places) ^ (other)) & (mask);                                       \
        (other) ^= both, (one) ^= both << (places);                                                   \
    } while (0)

/* Converts columns to slices, and slices to columns. */
static inline AES_BLOCK aes_sliced(AES_BLOCK s)
{
    AES_EXCHANGE(s.a, s.b, 1, 0x55555555);
    AES_EXCHANGE(s.c, s.d, 1, 0x55555555);
    AES_EXCHANGE(s.a, s.c, 2, 0x33333333);
    AES_EXCHANGE(s.b, s.d, 2, 0x33333333);
    return s;
}

static inline AES_BLOCK aes_added(AES_BLOCK s, const uint32_t key[4])
{
    return (AES_BLOCK){s.a ^ key[0], s.b ^ key[1], s.c ^ key[2], s.d ^ key[3]};
}

/* Doubles every byte in GF(2^8) (section 4.2.1). */
static inline AES_BLOCK aes_doubled(AES_BLOCK s)
{
    uint32_t highest = s.d >> 4 & AES_LOW;
    return (AES_BLOCK){((s.d ^ s.d << 4) & ~AES_LOW) | highest, s.a ^ highest, s.b, s.c ^ highest};
}

/* MixColumns: twice the sum of a byte and the byte in the next row, plus the three other bytes. */
static inline AES_BLOCK aes_mixed(AES_BLOCK s)
{
    AES_BLOCK next = {rotr32(s.a, 8), rotr32(s.b, 8), rotr32(s.c, 8), rotr32(s.d, 8)};
    AES_BLOCK sum  = {s.a ^ next.a, s.b ^ next.b, s.c ^ next.c, s.d ^ next.d};
    AES_BLOCK made = aes_doubled(sum);
    made.a ^= next.a ^ rotr32(sum.a, 16), made.b ^= next.b ^ rotr32(sum.b, 16);
    made.c ^= next.c ^ rotr32(sum.c, 16), made.d ^= next.d ^ rotr32(sum.d, 16);
    return made;
}

#endif
