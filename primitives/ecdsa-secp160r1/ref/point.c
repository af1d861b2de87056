/* Affine arithmetic on points.
 *
 * Source: Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography", section 3.1.2 and
 * algorithm 3.26. The field operations of doubling follow listing 3 of Hau, Khalil-Hani and Marsono
 * (2011) one by one, multiplications by two and three included. */

#include "point.h"

static const POINT NEUTRAL = {{{0}}, {{0}}, 1};

void point_double(const DOMAIN *domain, const POINT *q, POINT *r)
{
    static const FIELDP two   = {{2}};
    static const FIELDP three = {{3}};
    FIELDP              slope, t1, t2, t3, t4;
    POINT               sum = {{{0}}, {{0}}, 0};
    if (q->infinity || field_is_zero(&q->y)) {
        *r = NEUTRAL;
        return;
    }
    /* slope = (3 x^2 + a) / 2 y */
    mod_mul(q->x, q->x, domain->p, &t1);
    mod_mul(three, t1, domain->p, &t2);
    mod_add(t2, domain->a, domain->p, &t3);
    mod_mul(two, q->y, domain->p, &t4);
    mod_div(t3, t4, domain->p, &slope);
    /* x' = slope^2 - 2 x */
    mod_mul(slope, slope, domain->p, &t1);
    mod_mul(two, q->x, domain->p, &t2);
    mod_sub(t1, t2, domain->p, &sum.x);
    /* y' = slope (x - x') - y */
    mod_sub(q->x, sum.x, domain->p, &t1);
    mod_mul(slope, t1, domain->p, &t2);
    mod_sub(t2, q->y, domain->p, &sum.y);
    *r = sum;
    wipe(&slope, sizeof slope);
    wipe(&t1, sizeof t1);
    wipe(&t2, sizeof t2);
    wipe(&t3, sizeof t3);
    wipe(&t4, sizeof t4);
    wipe(&sum, sizeof sum);
}

/* Two points with different x. */
static void add_distinct(const DOMAIN *domain, const POINT *p, const POINT *q, POINT *r)
{
    FIELDP slope, t1, t2;
    POINT  sum = {{{0}}, {{0}}, 0};
    /* slope = (yq - yp) / (xq - xp) */
    mod_sub(q->y, p->y, domain->p, &t1);
    mod_sub(q->x, p->x, domain->p, &t2);
    mod_div(t1, t2, domain->p, &slope);
    /* x' = slope^2 - xp - xq */
    mod_mul(slope, slope, domain->p, &t1);
    mod_sub(t1, p->x, domain->p, &t2);
    mod_sub(t2, q->x, domain->p, &sum.x);
    /* y' = slope (xp - x') - yp */
    mod_sub(p->x, sum.x, domain->p, &t1);
    mod_mul(slope, t1, domain->p, &t2);
    mod_sub(t2, p->y, domain->p, &sum.y);
    *r = sum;
    wipe(&slope, sizeof slope);
    wipe(&t1, sizeof t1);
    wipe(&t2, sizeof t2);
    wipe(&sum, sizeof sum);
}

void point_add(const DOMAIN *domain, const POINT *p, const POINT *q, POINT *r)
{
    if (p->infinity) {
        *r = *q;
    } else if (q->infinity) {
        *r = *p;
    } else if (field_compare(&p->x, &q->x) != 0) {
        add_distinct(domain, p, q, r);
    } else if (field_compare(&p->y, &q->y) == 0) {
        point_double(domain, p, r);
    } else {
        *r = NEUTRAL;
    }
}

void point_multiply(const DOMAIN *domain, const FIELDP *k, const POINT *p, POINT *r)
{
    unsigned length = field_length(k);
    POINT    power  = *p;
    POINT    sum    = NEUTRAL;
    for (unsigned bit = 0; bit < length; bit++) {
        if (field_bit(k, bit)) {
            point_add(domain, &sum, &power, &sum);
        }
        if (bit + 1 < length) {
            point_double(domain, &power, &power);
        }
    }
    *r = sum;
    wipe(&power, sizeof power);
    wipe(&sum, sizeof sum);
}

int point_is_valid(const DOMAIN *domain, const POINT *p)
{
    FIELDP left, right, t;
    if (p->infinity || field_compare(&p->x, &domain->p) >= 0 || field_compare(&p->y, &domain->p) >= 0) {
        return 0;
    }
    mod_mul(p->y, p->y, domain->p, &left);
    mod_mul(p->x, p->x, domain->p, &t);
    mod_add(t, domain->a, domain->p, &t);
    mod_mul(t, p->x, domain->p, &t);
    mod_add(t, domain->b, domain->p, &right);
    return field_compare(&left, &right) == 0;
}
