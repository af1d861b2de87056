/* Arithmetic modulo a number in the same time for all values, by Montgomery's method. */

#ifndef STEADY_H
#define STEADY_H

#include <stdint.h>

/* Clang branches on a mask for RISC-V if it sees that it is all ones or zero. `value_barrier` of common/bytes.h does the
 * same, but the `wipe` of that header is not the one of this curve. */
static inline uint32_t steady_mask(uint32_t mask)
{
#if defined(__AVR__)
    __asm__("" : "+m"(mask));
#elif defined(__GNUC__)
    __asm__("" : "+r"(mask));
#endif
    return mask;
}

#define MONTGOMERY_KEEP(top, borrow) steady_mask(0u - (~(top) & (borrow)))

#include "montgomery.h"

/* Subtracts m from a, which is below 2 m, unless a is below m. Returns true if it is. */
static inline uint32_t steady_reduce(FIELDP *a, const FIELDP *m)
{
    FIELDP   less = *a;
    uint32_t keep = steady_mask(0u - field_minus(&less, m));
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        a->w[i] = (a->w[i] & keep) | (less.w[i] & ~keep);
    }
    wipe(&less, sizeof less);
    return keep & 1;
}

/* z = y + x mod m, or y - x. */
static inline void steady_add(const FIELDP *y, const FIELDP *x, const FIELDP *m, FIELDP *z)
{
    FIELDP sum = *y;
    (void)field_plus(&sum, x);
    (void)steady_reduce(&sum, m);
    *z = sum;
}

static inline void steady_subtract(const FIELDP *y, const FIELDP *x, const FIELDP *m, FIELDP *z)
{
    FIELDP   difference = *y, back = *m;
    uint32_t mask = steady_mask(0u - field_minus(&difference, x));
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        back.w[i] &= mask;
    }
    (void)field_plus(&difference, &back);
    *z = difference;
}

#define MUL(y, x, z) montgomery_multiply(MONTGOMERY_KNOWN, &(y), &(x), z)
#define ADD(y, x, z) steady_add(&(y), &(x), &domain->p, z)
#define SUB(y, x, z) steady_subtract(&(y), &(x), &domain->p, z)

static const FIELDP STEADY_ONE = {{1}};

/* The curve, with b in Montgomery's form. */
static inline DOMAIN steady_domain(void)
{
    DOMAIN made = secp160r1;
    MUL(secp160r1.b, MONTGOMERY_KNOWN->square, &made.b);
    return made;
}

#endif
