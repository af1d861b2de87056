/* DES on a block with tables (FIPS 46-3). Between the initial and the final permutation both halves are rotated right
 * by one bit, so that the input of an S-box is aligned as an offset into a table. */

#ifndef DES_BLOCK_H
#define DES_BLOCK_H

#include "des_tables.h"

/* The S-box `first` and every second one after it, applied to a word. */
#define DES_FOUR(word, first)                                                               \
    (DES_NAME(boxes)[first][(word) >> 26] ^ DES_NAME(boxes)[first + 2][(word) >> 18 & 63] ^ \
     DES_NAME(boxes)[first + 4][(word) >> 10 & 63] ^ DES_NAME(boxes)[first + 6][(word) >> 2 & 63])

#define DES_ROUND(l, r, k)        \
    odd  = (r) ^ (k)[0];          \
    even = rotl32(r, 4) ^ (k)[1]; \
    (l) ^= DES_FOUR(odd, 0) ^ DES_FOUR(even, 1);

/* Encrypts with the round keys from index `at` on, in steps of 2 or, for decryption, -2. */
static inline void des_block(const DES_KEYS *keys, int at, int step, const uint8_t text[DES_BLOCK],
                             uint8_t result[DES_BLOCK])
{
    uint32_t l = load32_be(text), r = load32_be(text + 4), odd, even;
    DES_EXCHANGE(l, r, 4, 0x0f0f0f0f)
    DES_EXCHANGE(l, r, 16, 0x0000ffff)
    DES_EXCHANGE(r, l, 2, 0x33333333)
    DES_EXCHANGE(r, l, 8, 0x00ff00ff)
    l = rotr32(l, 1);
    DES_EXCHANGE(l, r, 0, 0x55555555)
    r = rotr32(r, 1);
    for (unsigned round = 0; round < DES_ROUNDS; round += 16) {
        for (unsigned half = 0; half < 2; half++, at += 8 * step) {
            const uint32_t *k = keys->k + at;
            DES_ROUND(l, r, k)
            DES_ROUND(r, l, k + step)
            DES_ROUND(l, r, k + 2 * step)
            DES_ROUND(r, l, k + 3 * step)
            DES_ROUND(l, r, k + 4 * step)
            DES_ROUND(r, l, k + 5 * step)
            DES_ROUND(l, r, k + 6 * step)
            DES_ROUND(r, l, k + 7 * step)
        }
        uint32_t last = l;
        l             = r;
        r             = last;
    }
    r = rotl32(r, 1);
    DES_EXCHANGE(l, r, 0, 0x55555555)
    l = rotl32(l, 1);
    DES_EXCHANGE(r, l, 8, 0x00ff00ff)
    DES_EXCHANGE(r, l, 2, 0x33333333)
    DES_EXCHANGE(l, r, 16, 0x0000ffff)
    DES_EXCHANGE(l, r, 4, 0x0f0f0f0f)
    store32_be(result, l);
    store32_be(result + 4, r);
}

#endif
