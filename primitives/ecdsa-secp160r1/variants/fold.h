/* Products modulo p = 2^160 - 2^31 - 1, the field prime of secp160r1, in five words.
 *
 * Source: Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography", section 2.2.6: modulo p, 2^160 is 2^31
 * + 1, so that the high half is multiplied by 2^31 + 1 and added to the low half. */

#ifndef FOLD_H
#define FOLD_H

#include "field.h"

enum { FOLD_WORDS = 5 };

/* low += high (2^31 + 1), five words of each; returns the carry out of the fifth word. */
static inline uint64_t fold_once(uint32_t low[FOLD_WORDS], const uint32_t high[FOLD_WORDS])
{
    uint64_t carry = 0;
    uint32_t below = 0;
    for (unsigned i = 0; i < FOLD_WORDS; i++) {
        uint32_t shifted = high[i] << 31 | below >> 1;
        carry += (uint64_t)low[i] + high[i] + shifted;
        low[i] = (uint32_t)carry;
        carry >>= 32;
        below = high[i];
    }
    return carry + (below >> 1);
}

/* z = a mod p for ten words. */
static inline void fold(const uint32_t a[2 * FOLD_WORDS], FIELDP *z)
{
    uint32_t low[FOLD_WORDS];
    uint32_t high[FOLD_WORDS] = {0};
    for (unsigned i = 0; i < FOLD_WORDS; i++) {
        low[i] = a[i];
    }
    uint64_t above = fold_once(low, a + FOLD_WORDS);
    while (above != 0) {
        high[0] = (uint32_t)above;
        high[1] = (uint32_t)(above >> 32);
        above   = fold_once(low, high);
    }
    for (unsigned i = 0; i < FOLD_WORDS; i++) {
        z->w[i] = low[i];
    }
    z->w[FOLD_WORDS] = 0;
}

/* z = a b, ten words. */
static inline void fold_product(const FIELDP *a, const FIELDP *b, uint32_t z[2 * FOLD_WORDS])
{
    for (unsigned i = 0; i < 2 * FOLD_WORDS; i++) {
        z[i] = 0;
    }
    for (unsigned i = 0; i < FOLD_WORDS; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < FOLD_WORDS; j++) {
            carry += (uint64_t)a->w[i] * b->w[j] + z[i + j];
            z[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        z[i + FOLD_WORDS] = (uint32_t)carry;
    }
}

/* z = a b mod p, below p. */
static inline void fold_multiply(const FIELDP *p, const FIELDP *a, const FIELDP *b, FIELDP *z)
{
    uint32_t product[2 * FOLD_WORDS];
    fold_product(a, b, product);
    fold(product, z);
    if (field_compare(z, p) >= 0) {
        (void)field_minus(z, p);
    }
}

#endif
