/* Keys, signatures and shared secrets (FIPS 186-4, section 6; SEC 1, version 2.0, sections 3.3.1 and 4.1). */

#include "ecdsa.h"

#include "bytes.h"
#include "fast.h"
#include "wiping.h"

/* Stack of the arithmetic: with the comb for the base point, and with a table for any other point. */
STACK_ROOM(room_base, 20 * ECDSA_BYTES + 480)
STACK_ROOM(room_any, 52 * ECDSA_BYTES + 512)

int ECDSA(public)(const uint8_t secret[ECDSA_BYTES], uint8_t public[2 * ECDSA_BYTES])
{
    NUMBER   d;
    JACOBIAN r;
    AFFINE   q;
    int      fine = scalar_load(&d, secret);
    if (fine) {
        base_multiply(&r, &d);
        point_affine(&q, &r);
        field_from_montgomery(&q.x, &q.x);
        field_from_montgomery(&q.y, &q.y);
        number_reveal(&q.x); /* The public key is public. */
        number_reveal(&q.y);
        number_store(public, &q.x);
        number_store(public + ECDSA_BYTES, &q.y);
        point_forget(&r);
    }
    wipe(&d, sizeof d);
    wipe_below(room_base());
    return fine - 1;
}

int ECDSA(shared)(const uint8_t secret[ECDSA_BYTES], const uint8_t peer[2 * ECDSA_BYTES],
                  uint8_t shared[ECDSA_BYTES])
{
    NUMBER   d;
    JACOBIAN r;
    AFFINE   p;
    int      fine = scalar_load(&d, secret) && point_load(&p, peer);
    if (fine) {
        point_multiply(&r, &d, &p);
        point_affine(&p, &r);
        field_from_montgomery(&p.x, &p.x);
        number_store(shared, &p.x);
        point_forget(&r);
        wipe(&p, sizeof p);
    }
    wipe(&d, sizeof d);
    wipe_below(room_any());
    return fine - 1;
}

/* r = x of k G, mod n. */
static void commitment(NUMBER *r, const NUMBER *k)
{
    JACOBIAN multiple;
    AFFINE   p;
    base_multiply(&multiple, k);
    point_affine(&p, &multiple);
    field_from_montgomery(&p.x, &p.x);
    order_reduce(r, &p.x);
    point_forget(&multiple);
    wipe(&p, sizeof p);
}

/* s = (e + d r) / k; one factor of each product is multiplied by R first. */
int ECDSA(sign)(const uint8_t secret[ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                const uint8_t nonce[ECDSA_BYTES], uint8_t signature[2 * ECDSA_BYTES])
{
    NUMBER d, k, e, r;
    int    fine = scalar_load(&d, secret) & scalar_load(&k, nonce);
    if (fine) {
        commitment(&r, &k);
        digest_load(&e, digest, digest_size);
        order_reduce(&e, &e);
        order_multiply(&d, &d, &curve.n.square);
        order_multiply(&d, &d, &r);
        order_add(&d, &d, &e);
        number_invert(&k, &k, &curve.n);
        order_multiply(&k, &k, &curve.n.square);
        order_multiply(&d, &d, &k);
        number_reveal(&r); /* The signature is public. */
        number_reveal(&d);
        number_store(signature, &r);
        number_store(signature + ECDSA_BYTES, &d);
        fine = !(number_is_zero(&r) | number_is_zero(&d));
    }
    wipe(&d, sizeof d);
    wipe(&k, sizeof k);
    wipe_below(room_base());
    return fine - 1;
}
