/* Points of y^2 = x^3 + a x + b over GF(p), in affine coordinates. */

#ifndef POINT_H
#define POINT_H

#include "field.h"

typedef struct {
    FIELDP   x;
    FIELDP   y;
    uint32_t infinity; /* nonzero for the neutral element; x and y are then 0 */
} POINT;

typedef struct {
    FIELDP p; /* field prime          */
    FIELDP a; /* coefficients         */
    FIELDP b;
    POINT  g; /* base point           */
    FIELDP n; /* order of g, an odd prime */
} DOMAIN;

void point_add(const DOMAIN *domain, const POINT *p, const POINT *q, POINT *r);
void point_double(const DOMAIN *domain, const POINT *q, POINT *r);
void point_multiply(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r);

/* Returns 1 if a received point is valid: in range, on the curve, not the neutral element. The cofactor is 1, so that
 * its order needs no further test (SEC 1, section 3.2.2.1). */
int point_is_valid(const DOMAIN *domain, const POINT *p);

#endif
