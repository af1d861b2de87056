/* Points in Jacobian coordinates: x = X / Z^2, y = Y / Z^3; Z = 0 is the neutral element.
 *
 * Source: Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography", algorithms 3.21 and 3.22, for curves
 * with a = -3 such as secp160r1. */

#ifndef JACOBIAN_H
#define JACOBIAN_H

#include "point.h"

typedef struct {
    FIELDP x;
    FIELDP y;
    FIELDP z;
} JACOBIAN;

static const FIELDP JACOBIAN_ONE = {{1}};

/* Field operations on coordinates; an including file may define others. */
#ifndef JACOBIAN_MUL
#define JACOBIAN_MUL(y, x, z) mod_mul(y, x, domain->p, z)
#define JACOBIAN_ADD(y, x, z) mod_add(y, x, domain->p, z)
#define JACOBIAN_SUB(y, x, z) mod_sub(y, x, domain->p, z)
#endif

static inline void jacobian_set(JACOBIAN *p, const POINT *q)
{
    p->x = q->x;
    p->y = q->y;
    p->z = q->infinity ? (FIELDP){{0}} : JACOBIAN_ONE;
}

/* p = 2 p: four multiplications and four squarings. */
static inline void jacobian_double(const DOMAIN *domain, JACOBIAN *p)
{
    FIELDP t1, t2, t3;
    (void)domain;
    JACOBIAN_MUL(p->z, p->z, &t1);
    JACOBIAN_SUB(p->x, t1, &t2);
    JACOBIAN_ADD(p->x, t1, &t1);
    JACOBIAN_MUL(t2, t1, &t2);
    JACOBIAN_ADD(t2, t2, &t1);
    JACOBIAN_ADD(t1, t2, &t2); /* 3 (x - z^2) (x + z^2) */
    JACOBIAN_ADD(p->y, p->y, &p->y);
    JACOBIAN_MUL(p->y, p->z, &p->z);
    JACOBIAN_MUL(p->y, p->y, &p->y);
    JACOBIAN_MUL(p->y, p->x, &t3); /* 4 x y^2 */
    JACOBIAN_MUL(p->y, p->y, &p->y);
    if (p->y.w[0] & 1u) {
        uint32_t carry = field_plus(&p->y, &domain->p);
        field_halve(&p->y);
        p->y.w[FIELD_WORDS - 1] |= carry << 31;
    } else {
        field_halve(&p->y); /* 8 y^4 */
    }
    JACOBIAN_MUL(t2, t2, &p->x);
    JACOBIAN_ADD(t3, t3, &t1);
    JACOBIAN_SUB(p->x, t1, &p->x);
    JACOBIAN_SUB(t3, p->x, &t1);
    JACOBIAN_MUL(t1, t2, &t1);
    JACOBIAN_SUB(t1, p->y, &p->y);
    wipe(&t1, sizeof t1);
    wipe(&t2, sizeof t2);
    wipe(&t3, sizeof t3);
}

/* p = p + q for q in affine coordinates: eight multiplications and three squarings. */
static inline void jacobian_add(const DOMAIN *domain, JACOBIAN *p, const POINT *q)
{
    FIELDP t1, t2, t3, t4;
    (void)domain;
    if (q->infinity) {
        return;
    }
    if (field_is_zero(&p->z)) {
        jacobian_set(p, q);
        return;
    }
    JACOBIAN_MUL(p->z, p->z, &t1);
    JACOBIAN_MUL(t1, p->z, &t2);
    JACOBIAN_MUL(t1, q->x, &t1);
    JACOBIAN_MUL(t2, q->y, &t2);
    JACOBIAN_SUB(t1, p->x, &t1);
    JACOBIAN_SUB(t2, p->y, &t2);
    if (field_is_zero(&t1)) {
        if (field_is_zero(&t2)) {
            jacobian_double(domain, p);
        } else {
            *p = (JACOBIAN){{{0}}, {{0}}, {{0}}};
        }
        return;
    }
    JACOBIAN_MUL(p->z, t1, &p->z);
    JACOBIAN_MUL(t1, t1, &t3);
    JACOBIAN_MUL(t3, t1, &t4);
    JACOBIAN_MUL(t3, p->x, &t3);
    JACOBIAN_ADD(t3, t3, &t1);
    JACOBIAN_MUL(t2, t2, &p->x);
    JACOBIAN_SUB(p->x, t1, &p->x);
    JACOBIAN_SUB(p->x, t4, &p->x);
    JACOBIAN_SUB(t3, p->x, &t3);
    JACOBIAN_MUL(t3, t2, &t3);
    JACOBIAN_MUL(t4, p->y, &t4);
    JACOBIAN_SUB(t3, t4, &p->y);
    wipe(&t1, sizeof t1);
    wipe(&t2, sizeof t2);
    wipe(&t3, sizeof t3);
    wipe(&t4, sizeof t4);
}

/* Converts to affine coordinates, with the single division. */
static inline void jacobian_get(const DOMAIN *domain, const JACOBIAN *p, POINT *r)
{
    FIELDP inverse, square;
    if (field_is_zero(&p->z)) {
        *r = (POINT){{{0}}, {{0}}, 1};
        return;
    }
    mod_div(JACOBIAN_ONE, p->z, domain->p, &inverse);
    JACOBIAN_MUL(inverse, inverse, &square);
    JACOBIAN_MUL(p->x, square, &r->x);
    JACOBIAN_MUL(square, inverse, &square);
    JACOBIAN_MUL(p->y, square, &r->y);
    r->infinity = 0;
    wipe(&inverse, sizeof inverse);
    wipe(&square, sizeof square);
}

/* -p, for a p that is not the neutral element. */
static inline POINT jacobian_negated(const DOMAIN *domain, const POINT *p)
{
    POINT  negative = *p;
    FIELDP zero     = {{0}};
    JACOBIAN_SUB(zero, p->y, &negative.y);
    (void)domain;
    return negative;
}

/* k p with signed digits in windows of four bits; p, 3 p, 5 p and 7 p are precomputed (algorithm 3.36). */
static inline void jacobian_window(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    enum { WINDOW = 4, TABLE = 1 << (WINDOW - 2), DIGITS = 32 * FIELD_WORDS + 1 };
    POINT    odd[TABLE], twice;
    int8_t   digit[DIGITS];
    unsigned length = 0;
    FIELDP   left   = *k;
    JACOBIAN sum    = {{{0}}, {{0}}, {{0}}};
    point_double(domain, p, &twice);
    odd[0] = *p;
    for (unsigned i = 1; i < TABLE; i++) {
        point_add(domain, &odd[i - 1], &twice, &odd[i]);
    }
    for (; !field_is_zero(&left); length++) {
        int32_t value = 0;
        if (left.w[0] & 1u) {
            FIELDP small = {{0}};
            value        = (int32_t)(left.w[0] & ((1u << WINDOW) - 1));
            value -= value >= 1 << (WINDOW - 1) ? 1 << WINDOW : 0;
            small.w[0] = (uint32_t)(value < 0 ? -value : value);
            if (value < 0) {
                (void)field_plus(&left, &small);
            } else {
                (void)field_minus(&left, &small);
            }
        }
        digit[length] = (int8_t)value;
        field_halve(&left);
    }
    while (length-- > 0) {
        jacobian_double(domain, &sum);
        if (digit[length] > 0) {
            jacobian_add(domain, &sum, &odd[digit[length] / 2]);
        } else if (digit[length] < 0) {
            POINT negative = jacobian_negated(domain, &odd[-digit[length] / 2]);
            jacobian_add(domain, &sum, &negative);
        }
    }
    jacobian_get(domain, &sum, r);
    wipe(digit, sizeof digit);
    wipe(&left, sizeof left);
    wipe(&sum, sizeof sum);
}

#endif
