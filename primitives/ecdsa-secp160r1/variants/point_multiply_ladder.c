/* k p with a ladder that performs the same operations for every k: two complete additions per bit. It runs in constant
 * time if the field operations do. */

#include "complete.h"

void point_multiply(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    PROJECTIVE low  = {{{0}}, {{1}}, {{0}}};
    PROJECTIVE high = {p->x, p->y, {{1}}};
    FIELDP     inverse;
    if (p->infinity) {
        high = low;
    }
    for (unsigned bit = FIELD_BITS; bit-- > 0;) {
        uint32_t swap = (uint32_t)field_bit(k, bit);
        exchange(swap, &low, &high);
        add(domain, &low, &high, &high);
        add(domain, &low, &low, &low);
        exchange(swap, &low, &high);
    }
    *r = (POINT){{{0}}, {{0}}, 1};
    if (!field_is_zero(&low.z)) {
        FIELDP one = {{1}};
        mod_div(one, low.z, domain->p, &inverse);
        MUL(low.x, inverse, &r->x);
        MUL(low.y, inverse, &r->y);
        r->infinity = 0;
        wipe(&inverse, sizeof inverse);
    }
    wipe(&low, sizeof low);
    wipe(&high, sizeof high);
}
