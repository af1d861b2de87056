/* k g with a comb, in Jacobian coordinates with mixed additions. */

#include "comb.h"

void point_multiply(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    comb_or_window(domain, k, p, r);
}
