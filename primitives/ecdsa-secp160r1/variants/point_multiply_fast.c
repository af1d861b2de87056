/* k p with windows as in point_multiply_window.c, with the field of fast.h. */

#include "fast.h"

void point_multiply(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    jacobian_window(domain, k, p, r);
}
