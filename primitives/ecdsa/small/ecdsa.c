/* Keys, signatures, shared secrets (FIPS 186-4, section 6; SEC 1, version 2.0, sections 3.3.1 and 4.1). */

#include "ecdsa.h"

#include "bytes.h"
#include "small.h"
#include "wiping.h"

/* Stack of the arithmetic. */
STACK_ROOM(room, 20 * ECDSA_BYTES + 320)

static const CURVE *const curve = &ECDSA(curve);

/* Loads a secret, a nonce, r or s; returns true if it is between 1 and n - 1. Refusing it makes public that it is
 * not. */
static int load_scalar(uint32_t *z, const uint8_t *bytes)
{
    ECDSA(load)(z, bytes);
    return (int)revealed(opaque(!ECDSA(is_zero)(z)) & opaque((uint32_t)ECDSA(is_below)(z, &curve->n)));
}

/* Loads a coordinate; returns true if it is below p. */
static int load_coordinate(uint32_t *z, const uint8_t *bytes)
{
    ECDSA(load)(z, bytes);
    return ECDSA(is_below)(z, &curve->p);
}

/* Loads a point as (x : y : 1); returns true if it is valid. All three coordinates are read as if in Montgomery form,
 * that is, divided by R, which gives the same projective point. */
static int load_point(uint32_t *p, const uint8_t *bytes)
{
    ECDSA(copy)(p + 2 * WORDS, curve->base + 2 * WORDS, WORDS);
    return load_coordinate(p, bytes) & load_coordinate(p + WORDS, bytes + ECDSA_BYTES) &&
           ECDSA(point_is_valid)(p);
}

/* x and y of k p + k_base G, or of k p if k_base is null; zeros for the neutral element. */
static NOINLINE void multiply(uint32_t *xy, const uint32_t *k, const uint32_t *p, const uint32_t *k_base)
{
    WORK work;
    ECDSA(point_multiply)(work, k, p, k_base);
    ECDSA(point_affine)(work);
    ECDSA(copy)(xy, work, 2 * WORDS);
    ECDSA(forget)(work, 16);
}

int ECDSA(public)(const uint8_t secret[ECDSA_BYTES], uint8_t public[2 * ECDSA_BYTES])
{
    uint32_t d[WORDS], q[2 * WORDS];
    int      fine = load_scalar(d, secret);
    if (fine) {
        multiply(q, d, curve->base, NULL);
        ECDSA(reveal)(q, 2 * WORDS); /* The public key is public. */
        ECDSA(store)(public, q);
        ECDSA(store)(public + ECDSA_BYTES, q + WORDS);
    }
    ECDSA(forget)(d, 1);
    wipe_below(room());
    return fine - 1;
}

int ECDSA(shared)(const uint8_t secret[ECDSA_BYTES], const uint8_t peer[2 * ECDSA_BYTES],
                  uint8_t shared[ECDSA_BYTES])
{
    uint32_t  own[4 * WORDS];
    uint32_t *d = own, *p = own + WORDS;
    int       fine = load_scalar(d, secret) && load_point(p, peer);
    if (fine) {
        multiply(p, d, p, NULL);
        ECDSA(store)(shared, p);
    }
    ECDSA(forget)(own, 4);
    wipe_below(room());
    return fine - 1;
}

/* s = (e + d r) / k; the product divides the sum by R. */
int ECDSA(sign)(const uint8_t secret[ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                const uint8_t nonce[ECDSA_BYTES], uint8_t signature[2 * ECDSA_BYTES])
{
    uint32_t  own[5 * WORDS];
    uint32_t *r = own, *s = r + WORDS, *d = s + WORDS, *k = d + WORDS, *t = k + WORDS;
    int       fine = load_scalar(d, secret) & load_scalar(k, nonce);
    if (fine) {
        multiply(r, k, curve->base, NULL);
        ECDSA(reduce)(r);
        ECDSA(load_digest)(s, digest, digest_size);
        ECDSA(multiply)(&curve->n, d, d, r);
        ECDSA(multiply)(&curve->n, s, s, curve->base + 2 * WORDS);
        ECDSA(add)(&curve->n, d, d, s);
        ECDSA(invert)(&curve->n, t, k);
        ECDSA(multiply)(&curve->n, s, t, d);
        ECDSA(reveal)(r, 2 * WORDS); /* The signature is public. */
        ECDSA(store)(signature, r);
        ECDSA(store)(signature + ECDSA_BYTES, s);
        fine = !(ECDSA(is_zero)(r) | ECDSA(is_zero)(s));
    }
    ECDSA(forget)(own, 5);
    wipe_below(room());
    return fine - 1;
}

/* r, which is not 0, must be the x of (e / s) G + (r / s) Q. */
int ECDSA(verify)(const uint8_t public[2 * ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                  const uint8_t signature[2 * ECDSA_BYTES])
{
    POINT  p;
    NUMBER r, s, t, k;
    if (!load_point(p, public) || !load_scalar(r, signature) || !load_scalar(s, signature + ECDSA_BYTES)) {
        return -1;
    }
    ECDSA(load_digest)(k, digest, digest_size);
    ECDSA(invert)(&curve->n, t, s);
    ECDSA(multiply_out)(&curve->n, s, t, k);
    ECDSA(multiply_out)(&curve->n, k, t, r);
    multiply(p, k, p, s);
    ECDSA(reduce)(p);
    ECDSA(subtract)(&curve->n, p, p, r, 0);
    return ECDSA(is_zero)(p) - 1;
}
