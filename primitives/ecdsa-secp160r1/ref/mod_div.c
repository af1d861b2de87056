/* z = y / x mod m, by binary division.
 *
 * Source: S. C. Shantz, "From Euclid's GCD to Montgomery multiplication to the great divide", Sun Microsystems
 * Laboratories, TR-2001-95. Invariants: a y = u x and b y = v x modulo m; a and b converge to the greatest common
 * divisor of x and m, which must be 1 for a quotient to exist. */

#include "field.h"

/* a = a / 2 mod m. */
static void halve(FIELDP *a, const FIELDP *m)
{
    if (field_bit(a, 0)) {
        (void)field_plus(a, m);
    }
    field_halve(a);
}

/* a = (a - b) / 2, and u = (u - v) / 2 mod m. */
static void step(FIELDP *a, const FIELDP *b, FIELDP *u, const FIELDP *v, const FIELDP *m)
{
    (void)field_minus(a, b);
    field_halve(a);
    if (field_minus(u, v) != 0) {
        (void)field_plus(u, m);
    }
    halve(u, m);
}

void mod_div(FIELDP y, FIELDP x, FIELDP m, FIELDP *z)
{
    FIELDP one = {{1}};
    FIELDP a   = x;
    FIELDP b   = m;
    FIELDP v   = {{0}};
    while (!field_is_zero(&a) && field_compare(&a, &b) != 0) {
        if (!field_bit(&a, 0)) {
            field_halve(&a);
            halve(&y, &m);
        } else if (!field_bit(&b, 0)) {
            field_halve(&b);
            halve(&v, &m);
        } else if (field_compare(&a, &b) > 0) {
            step(&a, &b, &y, &v, &m);
        } else {
            step(&b, &a, &v, &y, &m);
        }
    }
    *z = field_compare(&a, &one) == 0 ? y : (FIELDP){{0}};
    wipe(&a, sizeof a);
    wipe(&b, sizeof b);
    wipe(&v, sizeof v);
    wipe(&y, sizeof y);
    wipe(&x, sizeof x);
}
