/* Keys and shared secrets (SEC 1, version 1.0, sections 3.2 and 3.3.1). Refusing a secret makes public that it is not in
 * its range. */

#include "blinded.h"
#include "raw.h"
#include "steady.h"

enum { FIELD = SECP160R1_FIELD_BYTES, ORDER = SECP160R1_ORDER_BYTES };

/* Loads a number; returns 1 if it is below m. */
static uint32_t load(FIELDP *number, const uint8_t *bytes, size_t size, const FIELDP *m)
{
    field_from_bytes(number, bytes, size);
    FIELDP   less = *number;
    uint32_t is_below = field_minus(&less, m);
    wipe(&less, sizeof less);
    return is_below;
}

/* Loads a secret; returns true if it is between 1 and n - 1. */
static int load_secret(FIELDP *key, const uint8_t secret[ORDER])
{
    uint32_t is_below = load(key, secret, ORDER, &secp160r1.n);
    return ecdsa_secp160r1_shown(is_below & (1u ^ (uint32_t)field_is_zero(key)));
}

/* Returns true if y^2 z = x^3 - 3 x z^2 + b z^3, where z is 1. All three are read as if in Montgomery's form. */
static int is_on_curve(const POINT *p)
{
    DOMAIN  own = steady_domain(), *domain = &own;
    FIELDP  left, right, square, product;
    MUL(p->y, p->y, &left);
    MUL(left, STEADY_ONE, &left);
    MUL(p->x, p->x, &right);
    MUL(right, p->x, &right);
    MUL(STEADY_ONE, STEADY_ONE, &square);
    MUL(p->x, square, &product);
    for (unsigned i = 0; i < 3; i++) {
        SUB(right, product, &right);
    }
    MUL(square, STEADY_ONE, &product);
    MUL(product, own.b, &product);
    ADD(right, product, &right);
    SUB(left, right, &left);
    return ecdsa_secp160r1_shown((uint32_t)field_is_zero(&left));
}

static int load_point(POINT *p, const uint8_t bytes[2 * FIELD])
{
    p->infinity    = 0;
    uint32_t first = load(&p->x, bytes, FIELD, &secp160r1.p), second = load(&p->y, bytes + FIELD, FIELD, &secp160r1.p);
    return ecdsa_secp160r1_shown(first & second) && is_on_curve(p);
}

int raw_public(const uint8_t secret[ORDER], uint8_t public[2 * FIELD])
{
    FIELDP key;
    POINT  made;
    int    is_good = load_secret(&key, secret);
    if (is_good) {
        ecdsa_secp160r1_blinded_multiply(&key, &secp160r1.g, &made);
        field_to_bytes(&made.x, public, FIELD);
        field_to_bytes(&made.y, public + FIELD, FIELD);
    }
    wipe(&key, sizeof key);
    return is_good - 1;
}

int raw_shared(const uint8_t secret[ORDER], const uint8_t peer[2 * FIELD], uint8_t shared[FIELD])
{
    FIELDP key;
    POINT  point;
    int    is_good = load_secret(&key, secret) && load_point(&point, peer);
    if (is_good) {
        ecdsa_secp160r1_blinded_multiply(&key, &point, &point);
        field_to_bytes(&point.x, shared, FIELD);
        wipe(&point, sizeof point);
    }
    wipe(&key, sizeof key);
    return is_good - 1;
}
