/* z = y - x mod m, by the modular arithmetic processor. */

#include "map.h"

void mod_sub(FIELDP y, FIELDP x, FIELDP m, FIELDP *z)
{
    map_run(MAP_SUB, &y, &x, &m, z);
    wipe(&y, sizeof y);
    wipe(&x, sizeof x);
}
