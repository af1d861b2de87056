/* z = y x mod m, by two Montgomery products with digits of 32 bits. */

#include "montgomery.h"

void mod_mul(FIELDP y, FIELDP x, FIELDP m, FIELDP *z)
{
    montgomery_modular(&y, &x, &m, z);
    wipe(&y, sizeof y);
    wipe(&x, sizeof x);
}
