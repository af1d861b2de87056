/* k g by a comb with four teeth, with a table of sums of multiples of the base point; k p for another point by windows.
 *
 * Source: Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography", algorithm 3.44. */

#ifndef COMB_H
#define COMB_H

#include "comb_table.h"
#include "jacobian.h"

static inline void comb(const DOMAIN *domain, const FIELDP *k, POINT *r)
{
    JACOBIAN sum = {{{0}}, {{0}}, {{0}}};
    for (unsigned column = COMB_SPACING; column-- > 0;) {
        unsigned entry = 0;
        for (unsigned tooth = 0; tooth < COMB_TEETH; tooth++) {
            entry |= (unsigned)field_bit(k, column + tooth * COMB_SPACING) << tooth;
        }
        jacobian_double(domain, &sum);
        if (entry != 0) {
            jacobian_add(domain, &sum, &COMB[entry - 1]);
        }
    }
    jacobian_get(domain, &sum, r);
    wipe(&sum, sizeof sum);
}

static inline void comb_or_window(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    int is_base = !p->infinity && field_compare(&p->x, &COMB[0].x) == 0 &&
                  field_compare(&p->y, &COMB[0].y) == 0 &&
                  field_length(k) <= COMB_TEETH * COMB_SPACING;
    if (is_base) {
        comb(domain, k, r);
    } else {
        jacobian_window(domain, k, p, r);
    }
}

#endif
