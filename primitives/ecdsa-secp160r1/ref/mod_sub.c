/* z = y - x mod m. */

#include "field.h"

void mod_sub(FIELDP y, FIELDP x, FIELDP m, FIELDP *z)
{
    if (field_minus(&y, &x) != 0) {
        (void)field_plus(&y, &m);
    }
    *z = y;
    wipe(&y, sizeof y);
    wipe(&x, sizeof x);
}
