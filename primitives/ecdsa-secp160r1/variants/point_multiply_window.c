/* k p with signed digits in windows of four bits, in Jacobian coordinates with mixed additions. */

#include "jacobian.h"

void point_multiply(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    jacobian_window(domain, k, p, r);
}
