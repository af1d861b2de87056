/* k p by two ladders, for r and for k - r with a random r, each from coordinates times a random number: J.-S. Coron,
 * Resistance Against Differential Power Analysis for Elliptic Curve Cryptosystems, CHES 1999, section 5.3; C. Clavier and
 * M. Joye, Universal Exponentiation Algorithm, CHES 2001, for the sum of two scalars. A random multiple of the order
 * added to k would hide little: the order is 2^160 and a number of half as many bits, so that bits of k stay.
 *
 * Coordinates are multiplied by Montgomery's method as they are: all of a point are divided by the same number then,
 * which gives the same point. */

#include "blinded.h"
#include "steady.h"

#include "complete.h"

uint8_t ecdsa_secp160r1_random[BLINDED_RANDOM_BYTES];

/* A random number below m, from so many bytes that it is below 2 m. */
static void draw(FIELDP *number, const uint8_t *random, const FIELDP *m)
{
    field_from_bytes(number, random, BLINDED_BYTES);
    (void)steady_reduce(number, m);
}

/* low = k p; the random factor of the coordinates is odd so that it is not 0. */
static void ladder(const DOMAIN *domain, const FIELDP *k, const POINT *p, const uint8_t *random, PROJECTIVE *low)
{
    PROJECTIVE high;
    FIELDP     factor;
    draw(&factor, random, &domain->p);
    factor.w[0] |= 1;
    *low = (PROJECTIVE){{{0}}, factor, {{0}}};
    MUL(p->x, factor, &high.x);
    MUL(p->y, factor, &high.y);
    MUL(STEADY_ONE, factor, &high.z);
    for (unsigned bit = FIELD_BITS; bit-- > 0;) {
        uint32_t swap = (uint32_t)field_bit(k, bit);
        exchange(swap, low, &high);
        add(domain, low, &high, &high);
        add(domain, low, low, low);
        exchange(swap, low, &high);
    }
    wipe(&high, sizeof high);
    wipe(&factor, sizeof factor);
}

/* The inverse of z by Fermat's little theorem, times R^2, where R is that of Montgomery's products. */
static void invert(const DOMAIN *domain, const FIELDP *z, FIELDP *inverse)
{
    static const FIELDP two   = {{2}};
    FIELDP              power = domain->p;
    (void)field_minus(&power, &two);
    MUL(MONTGOMERY_KNOWN->square, STEADY_ONE, inverse);
    for (unsigned bit = field_length(&power); bit-- > 0;) {
        MUL(*inverse, *inverse, inverse);
        if (field_bit(&power, bit)) {
            MUL(*inverse, *z, inverse);
        }
    }
}

static void affine(const DOMAIN *domain, const PROJECTIVE *from, POINT *r)
{
    FIELDP inverse;
    invert(domain, &from->z, &inverse);
    MUL(from->x, inverse, &r->x);
    MUL(r->x, STEADY_ONE, &r->x);
    MUL(from->y, inverse, &r->y);
    MUL(r->y, STEADY_ONE, &r->y);
    r->infinity = 0;
    wipe(&inverse, sizeof inverse);
}

void ecdsa_secp160r1_blinded_multiply(const FIELDP *k, const POINT *p, POINT *r)
{
    DOMAIN     domain = steady_domain();
    FIELDP     first, second;
    PROJECTIVE one, other;
    draw(&first, ecdsa_secp160r1_random, &domain.n);
    steady_subtract(k, &first, &domain.n, &second);
    ladder(&domain, &first, p, ecdsa_secp160r1_random + BLINDED_BYTES, &one);
    ladder(&domain, &second, p, ecdsa_secp160r1_random + 2 * BLINDED_BYTES, &other);
    add(&domain, &one, &other, &one);
    affine(&domain, &one, r);
    wipe(&first, sizeof first);
    wipe(&second, sizeof second);
    wipe(&one, sizeof one);
    wipe(&other, sizeof other);
}
