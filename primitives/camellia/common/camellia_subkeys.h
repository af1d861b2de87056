/* The word and the rotation of each subkey (RFC 3713, section 2.2). */

#ifndef CAMELLIA_SUBKEYS_H
#define CAMELLIA_SUBKEYS_H

#include "camellia_words.h"

/* A subkey is the first half of a word rotated left; for the standard's right half the rotation is 64 bits more. The
 * order is that of encryption, with kw4 before kw3, so that decryption uses the exact reverse. */
#define KL(left) (128 * CAMELLIA_KL + (left))
#define KA(left) (128 * CAMELLIA_KA + (left))
#if CAMELLIA_KEY_BYTES == 16
static const uint8_t camellia_subkeys[CAMELLIA_SUBKEYS] = {
    KL(0),  KL(64),                                       /* kw1, kw2 */
    KA(0),  KA(64),  KL(15), KL(79),  KA(15),  KA(79),    /* k1 to k6 */
    KA(30), KA(94),                                       /* ke1, ke2 */
    KL(45), KL(109), KA(45), KL(124), KA(60),  KA(124),   /* k7 to k12 */
    KL(77), KL(13),                                       /* ke3, ke4 */
    KL(94), KL(30),  KA(94), KA(30),  KL(111), KL(47),    /* k13 to k18 */
    KA(47), KA(111),                                      /* kw4, kw3 */
};
#else
#define KR(left) (128 * CAMELLIA_KR + (left))
#define KB(left) (128 * CAMELLIA_KB + (left))
static const uint16_t camellia_subkeys[CAMELLIA_SUBKEYS] = {
    KL(0),  KL(64),                                       /* kw1, kw2 */
    KB(0),  KB(64),  KR(15), KR(79),  KA(15),  KA(79),    /* k1 to k6 */
    KR(30), KR(94),                                       /* ke1, ke2 */
    KB(30), KB(94),  KL(45), KL(109), KA(45),  KA(109),   /* k7 to k12 */
    KL(60), KL(124),                                      /* ke3, ke4 */
    KR(60), KR(124), KB(60), KB(124), KL(77),  KL(13),    /* k13 to k18 */
    KA(77), KA(13),                                       /* ke5, ke6 */
    KR(94), KR(30),  KA(94), KA(30),  KL(111), KL(47),    /* k19 to k24 */
    KB(47), KB(111),                                      /* kw4, kw3 */
};
#endif
#undef KL
#undef KA
#undef KR
#undef KB

/* The left (`part` 0) or right (1) half of a subkey. */
static inline uint32_t camellia_part(const uint32_t words[][4], unsigned subkey, unsigned part)
{
    const uint32_t *word = words[subkey / 128];
    unsigned first = subkey / 32 + part;
    unsigned left  = subkey % 32;
    return word[first % 4] << left | word[(first + 1) % 4] >> 1 >> (31 - left);
}

#endif
