/* z = y + x mod m. */

#include "field.h"

void mod_add(FIELDP y, FIELDP x, FIELDP m, FIELDP *z)
{
    (void)field_plus(&y, &x);
    if (field_compare(&y, &m) >= 0) {
        (void)field_minus(&y, &m);
    }
    *z = y;
    wipe(&y, sizeof y);
    wipe(&x, sizeof x);
}
