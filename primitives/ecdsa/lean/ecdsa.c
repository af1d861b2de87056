/* Keys, signatures, shared secrets (FIPS 186-4, section 6; SEC 1, version 2.0, sections 3.3.1 and 4.1).
 *
 * Arguments are read again where they are needed, instead of being kept. */

#include "ecdsa.h"

#include "bytes.h"
#include "lean.h"
#include "wiping.h"

/* Stack of the arithmetic. */
STACK_ROOM(room, 4 * ECDSA_BYTES + 288)

static const CURVE *const curve = &ECDSA(curve);

/* Loads a secret, a nonce, r or s; returns true if it is between 1 and n - 1. Refusing it makes public that it is
 * not. */
static int load_scalar(uint32_t *z, const uint8_t *bytes)
{
    ECDSA(load)(z, bytes);
    return (int)revealed(opaque(!ECDSA(is_zero)(z)) & opaque((uint32_t)ECDSA(is_below)(z, &curve->n)));
}

/* Converts a number from Montgomery form. */
static void from_montgomery(uint32_t *z)
{
    ECDSA(multiply)(&curve->p, z, z, curve->base + 2 * WORDS);
}

int ECDSA(public)(const uint8_t secret[ECDSA_BYTES], uint8_t public[2 * ECDSA_BYTES])
{
    WORK work;
    int  fine = load_scalar(work, secret);
    if (fine) {
        ECDSA(ladder)(work, secret, NULL);
        ECDSA(recover)(work, NULL);
        from_montgomery(work + X1 * WORDS);
        from_montgomery(work + Z1 * WORDS);
        ECDSA(reveal)(work, 2 * WORDS); /* The public key is public. */
        ECDSA(store)(public, work + X1 * WORDS);
        ECDSA(store)(public + ECDSA_BYTES, work + Z1 * WORDS);
    }
    ECDSA(forget)(work, NUMBERS);
    wipe_below(room());
    return fine - 1;
}

int ECDSA(shared)(const uint8_t secret[ECDSA_BYTES], const uint8_t peer[2 * ECDSA_BYTES],
                  uint8_t shared[ECDSA_BYTES])
{
    WORK work;
    int  fine = load_scalar(work, secret) && ECDSA(point_is_valid)(work, peer);
    if (fine) {
        ECDSA(ladder)(work, secret, peer);
        ECDSA(affine)(work);
        ECDSA(store)(shared, work + X1 * WORDS);
    }
    ECDSA(forget)(work, NUMBERS);
    wipe_below(room());
    return fine - 1;
}

/* s = (e + d r) / k; the product divides the sum by R. */
int ECDSA(sign)(const uint8_t secret[ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                const uint8_t nonce[ECDSA_BYTES], uint8_t signature[2 * ECDSA_BYTES])
{
    WORK      work;
    uint32_t *r = work, *s = r + WORDS, *k = s + WORDS, *t = k + WORDS;
    int       fine = load_scalar(r, secret) & load_scalar(s, nonce);
    if (fine) {
        ECDSA(ladder)(work, nonce, NULL);
        ECDSA(affine)(work);
        ECDSA(reduce)(r);
        ECDSA(load)(t, secret);
        ECDSA(load_digest)(s, digest, digest_size);
        ECDSA(load)(k, nonce);
        ECDSA(multiply)(&curve->n, t, t, r);
        ECDSA(multiply)(&curve->n, s, s, curve->base + 2 * WORDS);
        ECDSA(add)(&curve->n, s, s, t);
        ECDSA(invert)(&curve->n, t, k);
        ECDSA(multiply)(&curve->n, s, t, s);
        ECDSA(reveal)(r, 2 * WORDS); /* The signature is public. */
        ECDSA(store)(signature, r);
        ECDSA(store)(signature + ECDSA_BYTES, s);
        fine = !(ECDSA(is_zero)(r) | ECDSA(is_zero)(s));
    }
    ECDSA(forget)(work, NUMBERS);
    wipe_below(room());
    return fine - 1;
}

/* u = e / s and v = r / s, as bytes, where e is the first number of `work`; returns true if u is not 0. */
static int scalars(uint32_t *work, uint8_t *u, uint8_t *v, const uint8_t *signature)
{
    uint32_t *e = work, *s = e + WORDS, *t = s + WORDS, *r = t + WORDS;
    ECDSA(load)(r, signature);
    ECDSA(load)(s, signature + ECDSA_BYTES);
    ECDSA(invert)(&curve->n, t, s);
    ECDSA(multiply_out)(&curve->n, r, t, r);
    ECDSA(store)(v, r);
    ECDSA(multiply_out)(&curve->n, e, t, e);
    ECDSA(store)(u, e);
    return !ECDSA(is_zero)(e);
}

/* r must be the x of (e / s) G + (r / s) Q. The first point then takes the memory of e / s. */
int ECDSA(verify)(const uint8_t public[2 * ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                  const uint8_t signature[2 * ECDSA_BYTES])
{
    WORK     work;
    uint32_t first[2 * WORDS];
    uint8_t  v[ECDSA_BYTES];
    if (!load_scalar(work, signature) || !load_scalar(work, signature + ECDSA_BYTES) ||
        !ECDSA(point_is_valid)(work, public)) {
        return -1;
    }
    ECDSA(load_digest)(work, digest, digest_size);
    int with_first = scalars(work, (uint8_t *)first, v, signature);
    if (with_first) {
        ECDSA(ladder)(work, (const uint8_t *)first, NULL);
        ECDSA(recover)(work, NULL);
        ECDSA(copy)(first, work, 2 * WORDS);
    }
    ECDSA(ladder)(work, v, public);
    if (with_first) {
        ECDSA(recover)(work, public);
        ECDSA(copy)(work + X2 * WORDS, first, 2 * WORDS);
        ECDSA(point_add)(work);
    }
    ECDSA(affine)(work);
    ECDSA(reduce)(work);
    ECDSA(load)(first, signature);
    ECDSA(subtract)(&curve->n, work, work, first, 0);
    return ECDSA(is_zero)(work) - 1;
}
