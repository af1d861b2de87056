/* z = y x mod m: fast reduction modulo the field prime, Montgomery products for other moduli. */

#include "domain.h"
#include "fold.h"
#include "montgomery.h"

void mod_mul(FIELDP y, FIELDP x, FIELDP m, FIELDP *z)
{
    if (field_compare(&m, &secp160r1.p) == 0) {
        fold_multiply(&m, &y, &x, z);
    } else {
        montgomery_modular(&y, &x, &m, z);
    }
    wipe(&y, sizeof y);
    wipe(&x, sizeof x);
}
