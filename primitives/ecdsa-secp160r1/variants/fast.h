/* Jacobian coordinates with an own field arithmetic: products of five words with fast reduction, passed by reference.
 * Only precomputations and the single division use the general field functions. */

#ifndef FAST_H
#define FAST_H

#include "fold.h"

static inline void fast_add(const FIELDP *p, FIELDP y, FIELDP x, FIELDP *z)
{
    (void)field_plus(&y, &x);
    if (field_compare(&y, p) >= 0) {
        (void)field_minus(&y, p);
    }
    *z = y;
}

static inline void fast_sub(const FIELDP *p, FIELDP y, FIELDP x, FIELDP *z)
{
    if (field_minus(&y, &x)) {
        (void)field_plus(&y, p);
    }
    *z = y;
}

#define JACOBIAN_MUL(y, x, z) fold_multiply(&domain->p, &(y), &(x), z)
#define JACOBIAN_ADD(y, x, z) fast_add(&domain->p, y, x, z)
#define JACOBIAN_SUB(y, x, z) fast_sub(&domain->p, y, x, z)

#include "jacobian.h"

#endif
