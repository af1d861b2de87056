/* Montgomery multiplication modulo an odd number.
 *
 * Source: Koc, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996), CIOS; R is 2 to
 * the number of bits of a FIELDP. */

#ifndef MONTGOMERY_H
#define MONTGOMERY_H

#include "field.h"

typedef struct {
    FIELDP   m;
    FIELDP   square; /* R^2 mod m */
    uint32_t inverse; /* -1 / m mod 2^32 */
} MODULUS;

/* All ones if the bit `top` is less than the bit `borrow`, else 0; an including file may define it without a comparison,
 * on which compilers may branch. */
#ifndef MONTGOMERY_KEEP
#define MONTGOMERY_KEEP(top, borrow) (0u - (uint32_t)((top) < (borrow)))
#endif

/* z = a b / R mod m, for a and b below m; in constant time if the compiler does not branch on the comparison. */
static inline void montgomery_multiply(const MODULUS *of, const FIELDP *a, const FIELDP *b, FIELDP *z)
{
    uint32_t t[FIELD_WORDS + 2] = {0};
    FIELDP   low, less;
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < FIELD_WORDS; j++) {
            carry += (uint64_t)a->w[j] * b->w[i] + t[j];
            t[j] = (uint32_t)carry;
            carry >>= 32;
        }
        carry += t[FIELD_WORDS];
        t[FIELD_WORDS]     = (uint32_t)carry;
        t[FIELD_WORDS + 1] = (uint32_t)(carry >> 32);
        uint32_t q         = t[0] * of->inverse;
        carry              = ((uint64_t)q * of->m.w[0] + t[0]) >> 32;
        for (unsigned j = 1; j < FIELD_WORDS; j++) {
            carry += (uint64_t)q * of->m.w[j] + t[j];
            t[j - 1] = (uint32_t)carry;
            carry >>= 32;
        }
        carry += t[FIELD_WORDS];
        t[FIELD_WORDS - 1] = (uint32_t)carry;
        t[FIELD_WORDS]     = t[FIELD_WORDS + 1] + (uint32_t)(carry >> 32);
    }
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        low.w[i] = t[i];
    }
    less            = low;
    uint32_t borrow = field_minus(&less, &of->m);
    uint32_t keep   = MONTGOMERY_KEEP(t[FIELD_WORDS], borrow);
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        z->w[i] = (low.w[i] & keep) | (less.w[i] & ~keep);
    }
}

/* Precomputes the constants of a modulus. */
static inline void montgomery_prepare(MODULUS *of, const FIELDP *m)
{
    uint32_t inverse = 1;
    /* Newton iteration: each step doubles the number of correct bits. */
    for (unsigned i = 0; i < 5; i++) {
        inverse *= 2 - m->w[0] * inverse;
    }
    of->m       = *m;
    of->inverse = 0u - inverse;
    of->square  = (FIELDP){{1}};
    for (unsigned i = 0; i < 2 * 32 * FIELD_WORDS; i++) {
        FIELDP   twice = of->square;
        uint32_t carry = field_plus(&twice, &of->square);
        if (carry || field_compare(&twice, m) >= 0) {
            (void)field_minus(&twice, m);
        }
        of->square = twice;
    }
}

/* The constants of the moduli of secp160r1; a test recomputes them. */
static const MODULUS MONTGOMERY_KNOWN[2] = {
    {{{0x7fffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x00000000}},
     {{0x00000000, 0x00000000, 0x00000001, 0x40000001, 0x00000000, 0x00000000}},
     0x80000001}, /* the field prime */
    {{{0xca752257, 0xf927aed3, 0x0001f4c8, 0x00000000, 0x00000000, 0x00000001}},
     {{0x6744f8a4, 0x085e335f, 0x3cdc3854, 0x7a981e4b, 0xa0e62683, 0x00000000}},
     0x306d1699}, /* the order */
};

/* z = y x mod m by two products. */
static inline void montgomery_modular(const FIELDP *y, const FIELDP *x, const FIELDP *m, FIELDP *z)
{
    const MODULUS *of = MONTGOMERY_KNOWN;
    MODULUS        other;
    FIELDP         product;
    if (field_compare(&of->m, m) != 0 && field_compare(&(++of)->m, m) != 0) {
        montgomery_prepare(&other, m);
        of = &other;
    }
    montgomery_multiply(of, y, x, &product);
    montgomery_multiply(of, &product, &of->square, z);
    wipe(&product, sizeof product);
}

#endif
