/* Points in projective coordinates. The complete addition formula, which adds any two points, is a program of a few
 * bytes.
 *
 * Source: J. Renes, C. Costello, L. Batina, "Complete addition formulas for prime order elliptic curves" (2016),
 * equation (2), specialised to a = -3 and a = 0, with our own sequence of steps. */

#include "small.h"

/* Operations of a step, and the numbers 0 to 15 that are their operands. P and Q are points, B is b. */
enum { MUL, ADD, SUB, PX = 0, PY, PZ, QX, QY, QZ, XX, YY, ZZ, XY, YZ, XZ, T, B = 15 };

#define STEP(does, to, left, right) (uint16_t)((does) << 12 | (to) << 8 | (left) << 4 | (right))

/* to = left right' + left' right, computed as (left + left') (right + right') minus the products xx and yy. */
#define CROSS(to, left, left2, right, right2, xx, yy) \
    STEP(ADD, to, left, left2), STEP(ADD, T, right, right2), STEP(MUL, to, to, T), STEP(SUB, to, to, xx), \
        STEP(SUB, to, to, yy)

/* P = P + Q = (xy (yy - u) - yz v : w v + (yy + u)(yy - u) : yz (yy + u) + xy w), with u, v and w as below;
 * xx, yy and zz are products, xy is x y' + x' y, and so on. */
static const uint16_t addition[] = {
    STEP(MUL, XX, PX, QX),
    STEP(MUL, YY, PY, QY),
    STEP(MUL, ZZ, PZ, QZ),
    CROSS(XY, PX, PY, QX, QY, XX, YY),
    CROSS(YZ, PY, PZ, QY, QZ, YY, ZZ),
    CROSS(XZ, PX, PZ, QX, QZ, XX, ZZ),
    STEP(MUL, QZ, B, ZZ), /* u = 3 b zz or 3 (b zz - xz) */
#ifndef ECDSA_SECP256K1
    STEP(SUB, QZ, QZ, XZ),
#endif
    STEP(ADD, T, QZ, QZ),
    STEP(ADD, QZ, QZ, T),
    STEP(MUL, QX, B, XZ), /* v = 3 b xz or 3 (b xz - xx - 3 zz) */
#ifndef ECDSA_SECP256K1
    STEP(ADD, T, ZZ, ZZ),
    STEP(ADD, ZZ, ZZ, T),
    STEP(SUB, QX, QX, XX),
    STEP(SUB, QX, QX, ZZ),
#endif
    STEP(ADD, T, QX, QX),
    STEP(ADD, QX, QX, T),
    STEP(ADD, T, XX, XX), /* w = 3 xx + a zz */
    STEP(ADD, XX, XX, T),
#ifndef ECDSA_SECP256K1
    STEP(SUB, XX, XX, ZZ),
#endif
    STEP(SUB, T, YY, QZ),
    STEP(ADD, YY, YY, QZ),
    STEP(MUL, PX, XY, T),
    STEP(MUL, PY, YY, T),
    STEP(MUL, PZ, YZ, YY),
    STEP(MUL, T, YZ, QX),
    STEP(SUB, PX, PX, T),
    STEP(MUL, T, XX, QX),
    STEP(ADD, PY, PY, T),
    STEP(MUL, T, XY, XX),
    STEP(ADD, PZ, PZ, T),
};

/* PX = (y^2 - b z^2) z - (x^2 + a z^2) x, for P. */
static const uint16_t equation[] = {
    STEP(MUL, XX, PX, PX), STEP(MUL, YY, PY, PY), STEP(MUL, ZZ, PZ, PZ),
#ifndef ECDSA_SECP256K1
    STEP(SUB, XX, XX, ZZ), STEP(SUB, XX, XX, ZZ), STEP(SUB, XX, XX, ZZ),
#endif
    STEP(MUL, ZZ, ZZ, B),  STEP(SUB, YY, YY, ZZ), STEP(MUL, YY, YY, PZ), STEP(MUL, XX, XX, PX),
    STEP(SUB, PX, YY, XX),
};

static void run(uint32_t *work, const uint16_t *step, unsigned steps)
{
    const MODULUS *p = &ECDSA(curve).p;
    ECDSA(copy)(work + B * WORDS, ECDSA(curve).b, WORDS);
    for (; steps-- > 0; step++) {
        uint32_t *to    = work + WORDS * (*step >> 8 & 15);
        uint32_t *left  = work + WORDS * (*step >> 4 & 15);
        uint32_t *right = work + WORDS * (*step & 15);
        if (*step >> 12 == MUL) {
            ECDSA(multiply)(p, to, left, right);
        } else if (*step >> 12 == ADD) {
            ECDSA(add)(p, to, left, right);
        } else {
            ECDSA(subtract)(p, to, left, right, 0);
        }
    }
}

/* For each bit of the scalars: P = P + P, P = P + p and P = P + G; for a bit of 0 the neutral element replaces p or
 * G. */
void ECDSA(point_multiply)(uint32_t *work, const uint32_t *k, const uint32_t *p, const uint32_t *k_base)
{
    const uint32_t *points[3]  = {work, p, ECDSA(curve).base};
    const uint32_t *scalars[3] = {NULL, k, k_base};
    for (unsigned i = 0; i < 3 * WORDS; i++) {
        work[i] = i == PY * WORDS;
    }
    for (unsigned bit = BITS; bit-- > 0;) {
        for (unsigned i = 0; i < (k_base ? 3 : 2); i++) {
            uint32_t mask = i > 0 ? 0u - (scalars[i][bit / 32] >> bit % 32 & 1) : UINT32_MAX;
            for (unsigned j = 0; j < 3 * WORDS; j++) {
                work[QX * WORDS + j] = points[i][j] & mask;
            }
            work[QY * WORDS] |= 1 & ~mask;
            run(work, addition, sizeof addition / sizeof *addition);
        }
    }
}

int ECDSA(point_is_valid)(const uint32_t *p)
{
    WORK work;
    ECDSA(copy)(work, p, 3 * WORDS);
    run(work, equation, sizeof equation / sizeof *equation);
    return ECDSA(is_zero)(work);
}

void ECDSA(point_affine)(uint32_t *work)
{
    uint32_t *inverse = work + QX * WORDS;
    ECDSA(invert)(&ECDSA(curve).p, inverse, work + PZ * WORDS);
    ECDSA(multiply_out)(&ECDSA(curve).p, work, work, inverse);
    ECDSA(multiply_out)(&ECDSA(curve).p, work + WORDS, work + WORDS, inverse);
}
