/* ECDSA: keys, signatures, verification (SEC 1, version 1.0, section 4.1). */

#include "ecdsa.h"

int ecdsa_in_range(const DOMAIN *domain, const FIELDP *a)
{
    return !field_is_zero(a) && field_compare(a, &domain->n) < 0;
}

/* a mod n, for a below p: the order of a curve with cofactor 1 is at least half of p. */
static FIELDP reduced(const DOMAIN *domain, FIELDP a)
{
    while (field_compare(&a, &domain->n) >= 0) {
        (void)field_minus(&a, &domain->n);
    }
    return a;
}

int ecdsa_public_key(const DOMAIN *domain, const FIELDP *private_key, POINT *public_key)
{
    if (!ecdsa_in_range(domain, private_key)) {
        return 0;
    }
    point_multiply(domain, private_key, &domain->g, public_key);
    return 1;
}

int ecdsa_sign(const DOMAIN *domain, const FIELDP *private_key, const FIELDP *nonce,
               const FIELDP *digest, SIGNATURE *signature)
{
    POINT  point;
    FIELDP t;
    if (!ecdsa_in_range(domain, private_key) || !ecdsa_in_range(domain, nonce)) {
        return 0;
    }
    point_multiply(domain, nonce, &domain->g, &point);
    signature->r = reduced(domain, point.x);
    /* s = (digest + private_key r) / nonce */
    mod_mul(*private_key, signature->r, domain->n, &t);
    mod_add(reduced(domain, *digest), t, domain->n, &t);
    mod_div(t, *nonce, domain->n, &signature->s);
    wipe(&point, sizeof point);
    wipe(&t, sizeof t);
    return !field_is_zero(&signature->r) && !field_is_zero(&signature->s);
}

int ecdsa_verify(const DOMAIN *domain, const POINT *public_key, const FIELDP *digest,
                 const SIGNATURE *signature)
{
    FIELDP u1, u2;
    POINT  a, b;
    if (!ecdsa_in_range(domain, &signature->r) || !ecdsa_in_range(domain, &signature->s) ||
        !point_is_valid(domain, public_key)) {
        return 0;
    }
    mod_div(reduced(domain, *digest), signature->s, domain->n, &u1);
    mod_div(signature->r, signature->s, domain->n, &u2);
    point_multiply(domain, &u1, &domain->g, &a);
    point_multiply(domain, &u2, public_key, &b);
    point_add(domain, &a, &b, &a);
    if (a.infinity) {
        return 0;
    }
    a.x = reduced(domain, a.x);
    return field_compare(&a.x, &signature->r) == 0;
}
