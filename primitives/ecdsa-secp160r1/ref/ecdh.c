/* ECDH: the x coordinate of the scalar product (SEC 1, version 1.0, section 3.3.1). */

#include "ecdh.h"
#include "ecdsa.h"

int ecdh(const DOMAIN *domain, const FIELDP *private_key, const POINT *public_key, FIELDP *secret)
{
    POINT point;
    int   usable;
    if (!ecdsa_in_range(domain, private_key) || !point_is_valid(domain, public_key)) {
        return 0;
    }
    point_multiply(domain, private_key, public_key, &point);
    *secret = point.x;
    usable  = !point.infinity;
    wipe(&point, sizeof point);
    return usable;
}
