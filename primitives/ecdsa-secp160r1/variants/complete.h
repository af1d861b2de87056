/* Projective points and their complete addition.
 *
 * Source: Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves" (2016), algorithm 4,
 * for a = -3. */

#ifndef COMPLETE_H
#define COMPLETE_H

#include "point.h"

typedef struct {
    FIELDP x;
    FIELDP y;
    FIELDP z;
} PROJECTIVE;

/* Field operations on coordinates; an including file may define others. */
#ifndef MUL
#define MUL(y, x, z) mod_mul(y, x, domain->p, z)
#define ADD(y, x, z) mod_add(y, x, domain->p, z)
#define SUB(y, x, z) mod_sub(y, x, domain->p, z)
#endif

/* r = p + q, for any two points. */
static void add(const DOMAIN *domain, const PROJECTIVE *p, const PROJECTIVE *q, PROJECTIVE *r)
{
    FIELDP t0, t1, t2, t3, t4, x, y, z;
    MUL(p->x, q->x, &t0);
    MUL(p->y, q->y, &t1);
    MUL(p->z, q->z, &t2);
    ADD(p->x, p->y, &t3);
    ADD(q->x, q->y, &t4);
    MUL(t3, t4, &t3);
    ADD(t0, t1, &t4);
    SUB(t3, t4, &t3);
    ADD(p->y, p->z, &t4);
    ADD(q->y, q->z, &x);
    MUL(t4, x, &t4);
    ADD(t1, t2, &x);
    SUB(t4, x, &t4);
    ADD(p->x, p->z, &x);
    ADD(q->x, q->z, &y);
    MUL(x, y, &x);
    ADD(t0, t2, &y);
    SUB(x, y, &y);
    MUL(domain->b, t2, &z);
    SUB(y, z, &x);
    ADD(x, x, &z);
    ADD(x, z, &x);
    SUB(t1, x, &z);
    ADD(t1, x, &x);
    MUL(domain->b, y, &y);
    ADD(t2, t2, &t1);
    ADD(t1, t2, &t2);
    SUB(y, t2, &y);
    SUB(y, t0, &y);
    ADD(y, y, &t1);
    ADD(t1, y, &y);
    ADD(t0, t0, &t1);
    ADD(t1, t0, &t0);
    SUB(t0, t2, &t0);
    MUL(t4, y, &t1);
    MUL(t0, y, &t2);
    MUL(x, z, &y);
    ADD(y, t2, &r->y);
    MUL(t3, x, &x);
    SUB(x, t1, &r->x);
    MUL(t4, z, &z);
    MUL(t3, t0, &t1);
    ADD(z, t1, &r->z);
}

/* Conditional swap of two points: if `swap` is 1, and not if it is 0. */
static void exchange(uint32_t swap, PROJECTIVE *p, PROJECTIVE *q)
{
    uint32_t  mask = 0u - swap;
    uint32_t *one = p->x.w, *other = q->x.w;
    for (unsigned i = 0; i < sizeof *p / sizeof *one; i++) {
        uint32_t change = (one[i] ^ other[i]) & mask;
        one[i] ^= change;
        other[i] ^= change;
    }
}

#endif
