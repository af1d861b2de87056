/* k g with a comb as in point_multiply_comb.c, with the field of fast.h. */

#include "fast.h"

#include "comb.h"

void point_multiply(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    comb_or_window(domain, k, p, r);
}
