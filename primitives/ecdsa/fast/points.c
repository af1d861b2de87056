/* Points in Jacobian coordinates.
 *
 * Source: D. Hankerson, A. Menezes, S. Vanstone, "Guide to Elliptic Curve Cryptography" (2004), section 3.2.2; the
 * coordinates of a double are divided by 4, 8 and 2, which saves additions. */

#include "bytes.h"
#include "fast.h"

/* 3 x^2 + a z^4 of a point. */
static void slope(NUMBER *m, const JACOBIAN *p)
{
    NUMBER t;
#if defined(ECDSA_SECP256K1)
    field_square(&t, &p->x);
#else
    NUMBER u;
    field_square(&u, &p->z);
    field_add(&t, &p->x, &u);
    field_subtract(&u, &p->x, &u);
    field_multiply(&t, &t, &u);
#endif
    field_add(m, &t, &t);
    field_add(m, m, &t);
}

/* With m half the slope and s = x y^2, the double is (m^2 - 2 s, m (s - x') - y^4, y z). */
void point_double(JACOBIAN *p)
{
    NUMBER m, s, t;
    slope(&m, p);
    field_halve(&m, &m);
    field_multiply(&p->z, &p->z, &p->y);
    field_square(&t, &p->y);
    field_multiply(&s, &p->x, &t);
    field_square(&t, &t);
    field_square(&p->x, &m);
    field_subtract(&p->x, &p->x, &s);
    field_subtract(&p->x, &p->x, &s);
    field_subtract(&s, &s, &p->x);
    field_multiply(&s, &s, &m);
    field_subtract(&p->y, &s, &t);
}

/* With h and r, the differences of x and of y, times z^2 and z^3 of p: if h is 0, z becomes 0, and if both are 0, x
 * does, too. */
void point_add_other(JACOBIAN *p, const AFFINE *q)
{
    NUMBER h, r, hh, v;
    field_square(&r, &p->z);
    field_multiply(&h, &q->x, &r);
    field_multiply(&r, &r, &p->z);
    field_multiply(&r, &r, &q->y);
    field_subtract(&h, &h, &p->x);
    field_subtract(&r, &r, &p->y);
    field_multiply(&p->z, &p->z, &h);
    field_square(&hh, &h);
    field_multiply(&v, &p->x, &hh);
    field_multiply(&hh, &hh, &h);
    field_square(&p->x, &r);
    field_subtract(&p->x, &p->x, &hh);
    field_subtract(&p->x, &p->x, &v);
    field_subtract(&p->x, &p->x, &v);
    field_multiply(&hh, &hh, &p->y);
    field_subtract(&v, &v, &p->x);
    field_multiply(&v, &v, &r);
    field_subtract(&p->y, &v, &hh);
}

void point_add(JACOBIAN *p, const AFFINE *q)
{
    int is_neutral = number_is_zero(&p->z);
    if (!is_neutral) {
        point_add_other(p, q);
    }
    if (is_neutral || (number_is_zero(&p->z) && number_is_zero(&p->x))) {
        *p = (JACOBIAN){q->x, q->y, curve.one};
        if (!is_neutral) {
            point_double(p);
        }
    }
}

void point_add_masked(JACOBIAN *p, const AFFINE *q)
{
    JACOBIAN twice = {q->x, q->y, curve.one};
    point_double(&twice);
    point_add_other(p, q);
    uint32_t same = 0u - (uint32_t)number_is_zero(&p->z);
    number_choose(&p->x, &twice.x, &p->x, same);
    number_choose(&p->y, &twice.y, &p->y, same);
    number_choose(&p->z, &twice.z, &p->z, same);
    point_forget(&twice);
}

/* Multiplies the coordinates by the inverse of z, and so makes them affine. */
static void scale(AFFINE *z, const NUMBER *x, const NUMBER *y, const NUMBER *inverse)
{
    NUMBER square;
    field_square(&square, inverse);
    field_multiply(&z->x, x, &square);
    field_multiply(&square, &square, inverse);
    field_multiply(&z->y, y, &square);
}

void point_affine(AFFINE *z, const JACOBIAN *p)
{
    NUMBER inverse;
    field_invert(&inverse, &p->z);
    scale(z, &p->x, &p->y, &inverse);
    wipe(&inverse, sizeof inverse);
}

/* Each entry is the previous one plus 2 P. All of them become affine with one simultaneous inversion (P. L. Montgomery,
 * "Speeding the Pollard and elliptic curve methods of factorization", 1987). */
void point_table(AFFINE table[TABLE], const AFFINE *p)
{
    NUMBER   z[TABLE], product[TABLE], inverse, one;
    JACOBIAN sum = {p->x, p->y, curve.one};
    AFFINE   twice;
    point_double(&sum);
    point_affine(&twice, &sum);
    sum        = (JACOBIAN){p->x, p->y, curve.one};
    product[0] = curve.one;
    table[0]   = *p;
    for (unsigned i = 1; i < TABLE; i++) {
        point_add_other(&sum, &twice);
        table[i].x = sum.x;
        table[i].y = sum.y;
        z[i]       = sum.z;
        field_multiply(&product[i], &product[i - 1], &z[i]);
    }
    field_invert(&inverse, &product[TABLE - 1]);
    for (unsigned i = TABLE - 1; i > 0; i--) {
        field_multiply(&one, &inverse, &product[i - 1]);
        field_multiply(&inverse, &inverse, &z[i]);
        scale(&table[i], &table[i].x, &table[i].y, &one);
    }
}

int point_is_valid(const AFFINE *p)
{
    NUMBER left, right;
    field_square(&right, &p->x);
#if !defined(ECDSA_SECP256K1)
    for (unsigned i = 0; i < 3; i++) {
        field_subtract(&right, &right, &curve.one);
    }
#endif
    field_multiply(&right, &right, &p->x);
    field_add(&right, &right, &curve.b);
    field_square(&left, &p->y);
    field_subtract(&left, &left, &right);
    return number_is_zero(&left);
}
