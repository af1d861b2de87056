/* k p, from the highest bit of k on, in Jacobian coordinates with mixed additions. */

#include "jacobian.h"

void point_multiply(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    JACOBIAN sum = {{{0}}, {{0}}, {{0}}};
    for (unsigned bit = field_length(k); bit-- > 0;) {
        jacobian_double(domain, &sum);
        if (field_bit(k, bit)) {
            jacobian_add(domain, &sum, p);
        }
    }
    jacobian_get(domain, &sum, r);
    wipe(&sum, sizeof sum);
}
