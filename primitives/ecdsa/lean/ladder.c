/* Points by their x coordinates, in projective form. Each formula is a program of a few bytes that `run` interprets.
 *
 * Sources: T. Izu, T. Takagi, "A fast parallel elliptic curve multiplication resistant against side channel attacks"
 * (2002), whose additive formula for a sum has no exceptional cases; E. Brier, M. Joye, "Weierstrass elliptic curves
 * and side-channel attacks" (2002), for y. */

#include "lean.h"

enum { MUL, ADD, SUB };

#define STEP(does, to, left, right) (uint16_t)((does) << 12 | (to) << 8 | (left) << 4 | (right))

/* to = to + a left. */
#ifdef ECDSA_SECP256K1
#define PLUS_A(to, left)
#else
#define PLUS_A(to, left) STEP(SUB, to, to, left), STEP(SUB, to, to, left), STEP(SUB, to, to, left),
#endif

/* (x2 : z2) = the sum of both points, where X is the x of their difference; (x1 : z1) = twice the first point. */
static const uint16_t sum_and_double[] = {
    STEP(MUL, T, X2, Z1),
    STEP(MUL, U, X1, Z2),
    STEP(MUL, X2, X1, X2),
    STEP(MUL, Z2, Z1, Z2),
    STEP(SUB, U, U, T), /* u = x1 z2 - x2 z1, t = x1 z2 + x2 z1 */
    STEP(ADD, T, T, T),
    STEP(ADD, T, T, U),
    PLUS_A(X2, Z2) /* x2 = 2 t (x1 x2 + a z1 z2) + 4 b z1^2 z2^2 - X u^2, z2 = u^2 */
    STEP(MUL, X2, X2, T),
    STEP(ADD, X2, X2, X2),
    STEP(MUL, Z2, Z2, Z2),
    STEP(MUL, Z2, Z2, B),
    STEP(ADD, Z2, Z2, Z2),
    STEP(ADD, Z2, Z2, Z2),
    STEP(ADD, X2, X2, Z2),
    STEP(MUL, Z2, U, U),
    STEP(MUL, U, Z2, X),
    STEP(SUB, X2, X2, U),
    STEP(MUL, T, X1, X1), /* t = x1^2 + a z1^2 */
    STEP(MUL, U, Z1, Z1),
    STEP(MUL, X1, X1, Z1),
#ifdef ECDSA_SECP256K1
    STEP(MUL, Z1, T, T),
#else
    STEP(ADD, Z1, U, U),
    STEP(ADD, Z1, Z1, U),
    STEP(SUB, T, T, Z1),
    STEP(ADD, Z1, Z1, Z1),
    STEP(ADD, Z1, Z1, T),
    STEP(MUL, Z1, Z1, Z1),
#endif
    STEP(MUL, T, T, X1), /* x1 = (x1^2 - a z1^2)^2 - 8 b x1 z1^3 */
    STEP(MUL, X1, X1, U),
    STEP(MUL, X1, X1, B),
    STEP(ADD, X1, X1, X1),
    STEP(ADD, X1, X1, X1),
    STEP(ADD, X1, X1, X1),
    STEP(SUB, X1, Z1, X1),
    STEP(MUL, U, U, U), /* z1 = 4 (x1 z1 t + b z1^4) */
    STEP(MUL, U, U, B),
    STEP(ADD, T, T, U),
    STEP(ADD, T, T, T),
    STEP(ADD, Z1, T, T),
};

/* t = z2 ((X x1 + a z1)(X z1 + x1) + 2 b z1^2) - x2 (X z1 - x1)^2, which is 2 Y z1^2 z2 times the y of the result. */
static const uint16_t numerator[] = {
    STEP(MUL, T, X, X1),
    PLUS_A(T, Z1)
    STEP(MUL, U, X, Z1),
    STEP(SUB, U, U, X1),
    STEP(MUL, X2, X2, U),
    STEP(MUL, X2, X2, U),
    STEP(ADD, U, U, X1),
    STEP(ADD, U, U, X1),
    STEP(MUL, T, T, U),
    STEP(MUL, U, Z1, Z1),
    STEP(MUL, U, U, B),
    STEP(ADD, T, T, U),
    STEP(ADD, T, T, U),
    STEP(MUL, T, T, Z2),
    STEP(SUB, T, T, X2),
};

/* With x2 = Y, the y of the multiplied point: u = 2 Y z1^2 z2, x1 = u times the x of the result. */
static const uint16_t denominator[] = {
    STEP(MUL, Z2, Z2, Z1),
    STEP(MUL, Z2, Z2, X2),
    STEP(ADD, Z2, Z2, Z2),
    STEP(MUL, U, Z2, Z1),
    STEP(MUL, X1, X1, Z2),
};

/* x1 = u - (x1 + x2) t^2, z1 = t^2, where t and u (before it is squared) are the differences of x and y. */
static const uint16_t chord[] = {
    STEP(SUB, T, X2, X1),   STEP(SUB, U, Z2, Z1),   STEP(MUL, U, U, U), STEP(MUL, Z1, T, T),
    STEP(ADD, X1, X1, X2), STEP(MUL, X1, X1, Z1), STEP(SUB, X1, U, X1),
};

/* t = (x^2 + a z^2) x - (y^2 - b z^2) z, with x, y and z in x1, z1 and x2. */
static const uint16_t equation[] = {
    STEP(MUL, T, X1, X1), STEP(MUL, U, Z1, Z1), STEP(MUL, Z2, X2, X2), PLUS_A(T, Z2) STEP(MUL, Z2, Z2, B),
    STEP(SUB, U, U, Z2),  STEP(MUL, U, U, X2),  STEP(MUL, T, T, X1),   STEP(SUB, T, T, U),
};

static void run(uint32_t *work, const uint16_t *step, unsigned steps)
{
    const MODULUS *p = &ECDSA(curve).p;
    for (; steps-- > 0; step++) {
        uint32_t       *to    = work + WORDS * (*step >> 8 & 15);
        const uint32_t *left  = work + WORDS * (*step >> 4 & 15);
        const uint32_t *right = (*step & 15) == B ? ECDSA(curve).b : work + WORDS * (*step & 15);
        if (*step >> 12 == MUL) {
            ECDSA(multiply)(p, to, left, right);
        } else if (*step >> 12 == ADD) {
            ECDSA(add)(p, to, left, right);
        } else {
            ECDSA(subtract)(p, to, left, right, 0);
        }
    }
}

#define RUN(work, program) run(work, program, sizeof(program) / sizeof *(program))

/* z = z R mod p */
static void to_montgomery(uint32_t *z)
{
    for (unsigned i = 0; i < BITS; i++) {
        ECDSA(add)(&ECDSA(curve).p, z, z, z);
    }
}

static void set(uint32_t *z, uint32_t value)
{
    for (unsigned i = 0; i < WORDS; i++) {
        z[i]  = value;
        value = 0;
    }
}

void ECDSA(fetch)(uint32_t *z, const uint8_t *point, unsigned which)
{
    if (point) {
        ECDSA(load)(z, point + which * ECDSA_BYTES);
    } else {
        ECDSA(copy)(z, ECDSA(curve).base + which * WORDS, WORDS);
    }
}

/* All three coordinates are read as if in Montgomery form, that is, divided by R, which gives the same projective
 * point. */
int ECDSA(point_is_valid)(uint32_t *work, const uint8_t *point)
{
    const MODULUS *p = &ECDSA(curve).p;
    ECDSA(fetch)(work + X1 * WORDS, point, 0);
    ECDSA(fetch)(work + Z1 * WORDS, point, 1);
    set(work + X2 * WORDS, 1);
    if (!ECDSA(is_below)(work + X1 * WORDS, p) || !ECDSA(is_below)(work + Z1 * WORDS, p)) {
        return 0;
    }
    RUN(work, equation);
    return ECDSA(is_zero)(work + T * WORDS);
}

/* Conditional swap: swaps both points if mask is ~0. */
static void swap(uint32_t *work, uint32_t mask)
{
    for (unsigned i = 0; i < 2 * WORDS; i++) {
        uint32_t change = (work[i] ^ work[i + X2 * WORDS]) & mask;
        work[i] ^= change;
        work[i + X2 * WORDS] ^= change;
    }
}

/* Montgomery ladder: starts with the neutral element and the point itself; their difference is invariant (P. L.
 * Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", 1987). */
void ECDSA(ladder)(uint32_t *work, const uint8_t *k, const uint8_t *point)
{
    uint32_t last = 0;
    ECDSA(fetch)(work + X * WORDS, point, 0);
    to_montgomery(work + X * WORDS);
    ECDSA(copy)(work + X2 * WORDS, work + X * WORDS, WORDS);
    set(work + X1 * WORDS, 1);
    set(work + Z1 * WORDS, 0);
    set(work + Z2 * WORDS, 1);
    to_montgomery(work + Z2 * WORDS);
    for (unsigned i = 0; i < BITS; i++) {
        uint32_t mask = 0u - ((uint32_t)k[i / 8] >> (7 - i % 8) & 1);
        swap(work, mask ^ last);
        RUN(work, sum_and_double);
        last = mask;
    }
    swap(work, last);
}

/* If the second point of the ladder is the neutral element, the first one is the negative of the multiplied point. That
 * point is computed in any case, because a branch would reveal whether k is n - 1. */
void ECDSA(recover)(uint32_t *work, const uint8_t *point)
{
    const MODULUS *p        = &ECDSA(curve).p;
    uint32_t       is_minus = 0u - (uint32_t)ECDSA(is_zero)(work + Z2 * WORDS);
    RUN(work, numerator);
    ECDSA(fetch)(work + X2 * WORDS, point, 1);
    to_montgomery(work + X2 * WORDS);
    RUN(work, denominator);
    ECDSA(invert)(p, work + Z1 * WORDS, work + U * WORDS);
    ECDSA(multiply)(p, work + X1 * WORDS, work + X1 * WORDS, work + Z1 * WORDS);
    ECDSA(multiply)(p, work + Z1 * WORDS, work + T * WORDS, work + Z1 * WORDS);
    ECDSA(subtract)(p, work + Z2 * WORDS, p->m, work + X2 * WORDS, 0);
    ECDSA(copy)(work + X2 * WORDS, work + X * WORDS, WORDS);
    swap(work, is_minus);
}

/* Two equal points are doubled as in the ladder; a point and its negative give z1 = 0. */
void ECDSA(point_add)(uint32_t *work)
{
    RUN(work, chord);
    if (ECDSA(is_zero)(work + T * WORDS) && ECDSA(is_zero)(work + U * WORDS)) {
        ECDSA(copy)(work + X1 * WORDS, work + X2 * WORDS, WORDS);
        set(work + Z1 * WORDS, 1);
        to_montgomery(work + Z1 * WORDS);
        RUN(work, sum_and_double);
    }
}

void ECDSA(affine)(uint32_t *work)
{
    ECDSA(invert)(&ECDSA(curve).p, work + T * WORDS, work + Z1 * WORDS);
    ECDSA(multiply_out)(&ECDSA(curve).p, work + X1 * WORDS, work + X1 * WORDS, work + T * WORDS);
}
