/* The raw operations (RFC 8017, section 5), by square-and-multiply. */

#include "bytes.h"
#include "small.h"

typedef struct {
    MODULUS  of;
    uint32_t x[WORDS], t[WORDS], z[WORDS];
} WORK;

/* z = message^e R mod m. For a secret exponent every bit takes a product (square-and-multiply-always). */
static void power(WORK *own, const uint32_t *message, const uint8_t *e, size_t e_size, int secret)
{
    static const uint32_t one = 1;
    unsigned              words = own->of.words;
    RSA(to_montgomery)(&own->of, own->x, message, WORDS);
    RSA(to_montgomery)(&own->of, own->z, &one, 1);
    for (unsigned bit = 0; bit < 8 * e_size; bit++) {
        uint32_t mask = 0u - ((uint32_t)e[bit / 8] >> (7 - bit % 8) & 1);
        RSA(multiply)(&own->of, own->z, own->z, own->z);
        if (secret || mask) {
            RSA(multiply)(&own->of, own->t, own->z, own->x);
            (void)RSA(sum)(words, own->t, own->t, own->z, UINT32_MAX, UINT32_MAX, 1);
            (void)RSA(sum)(words, own->z, own->z, own->t, mask, 0, 0);
        }
    }
}

/* z = z / R mod m. */
static void from_montgomery(WORK *own)
{
    for (unsigned i = 0; i < own->of.words; i++) {
        own->x[i] = i == 0;
    }
    RSA(multiply)(&own->of, own->z, own->z, own->x);
}

/* Returns true if a < b; overwrites x. */
static int is_below(WORK *own, const uint32_t *a, const uint32_t *b)
{
    return RSA(sum)(WORDS, own->x, a, b, UINT32_MAX, UINT32_MAX, 1) == 0;
}

static int raw(const uint8_t *n, const uint8_t *e, size_t e_size, const uint8_t *message, uint8_t *result)
{
    WORK own;
    RSA(load)(own.t, message, WORDS);
    int fine = RSA(set)(&own.of, n, WORDS) & is_below(&own, own.t, own.of.m);
    if (fine) {
        power(&own, own.t, e, e_size, e_size != RSA_E_BYTES);
        from_montgomery(&own);
        RSA(store)(result, own.z, WORDS);
    }
    wipe(&own, sizeof own);
    return fine - 1;
}

int RSA(raw_public)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t message[RSA_BYTES],
                    uint8_t result[RSA_BYTES])
{
    return raw(n, e, RSA_E_BYTES, message, result);
}

int RSA(raw_private)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t message[RSA_BYTES],
                     uint8_t result[RSA_BYTES])
{
    return raw(n, d, RSA_BYTES, message, result);
}

int RSA(times)(const uint8_t n[RSA_BYTES], const uint8_t a[RSA_BYTES], const uint8_t b[RSA_BYTES],
               uint8_t result[RSA_BYTES])
{
    WORK own;
    RSA(load)(own.t, a, WORDS);
    RSA(load)(own.z, b, WORDS);
    int fine = RSA(set)(&own.of, n, WORDS);
    fine &= is_below(&own, own.t, own.of.m);
    fine &= is_below(&own, own.z, own.of.m);
    fine = (int)revealed(opaque((uint32_t)fine));
    if (fine) {
        RSA(to_montgomery)(&own.of, own.x, own.t, WORDS);
        RSA(multiply)(&own.of, own.z, own.x, own.z);
        RSA(store)(result, own.z, WORDS);
    }
    wipe(&own, sizeof own);
    return fine - 1;
}

/* c = ((m1 - m2) qinv mod p) q + m2, for m1 and m2, the results modulo p and q (section 5.1.2). */
static void combined(WORK *own, uint32_t *c, const uint8_t *p, const uint8_t *q, const uint8_t *dp,
                     const uint8_t *dq, const uint8_t *qinv)
{
    uint32_t m2[HALF_WORDS];
    (void)RSA(set)(&own->of, q, HALF_WORDS);
    power(own, c, dq, RSA_HALF_BYTES, 1);
    from_montgomery(own);
    for (unsigned i = 0; i < HALF_WORDS; i++) {
        m2[i] = own->z[i];
    }
    (void)RSA(set)(&own->of, p, HALF_WORDS);
    power(own, c, dp, RSA_HALF_BYTES, 1);
    RSA(to_montgomery)(&own->of, own->x, m2, HALF_WORDS);
    RSA(subtract)(&own->of, own->z, own->z, own->x, 0);
    RSA(load)(own->x, qinv, HALF_WORDS);
    RSA(multiply)(&own->of, own->z, own->z, own->x);
    for (unsigned i = 0; i < HALF_WORDS; i++) {
        c[i]              = m2[i];
        c[i + HALF_WORDS] = 0;
    }
    RSA(load)(own->x, q, HALF_WORDS);
    RSA(add_product)(HALF_WORDS, c, own->z, own->x);
    wipe(m2, sizeof m2);
}

int RSA(raw_private_crt)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES],
                         const uint8_t dp[RSA_HALF_BYTES], const uint8_t dq[RSA_HALF_BYTES],
                         const uint8_t qinv[RSA_HALF_BYTES], const uint8_t message[RSA_BYTES],
                         uint8_t result[RSA_BYTES])
{
    WORK     own = {0};
    uint32_t c[WORDS];
    RSA(load)(own.x, p, HALF_WORDS);
    RSA(load)(own.t, q, HALF_WORDS);
    RSA(add_product)(HALF_WORDS, own.z, own.x, own.t);
    RSA(load)(c, message, WORDS);
    /* The refusal of the primes or the message is public. */
    int fine = (int)revealed((own.z[0] & 1) & opaque((uint32_t)is_below(&own, c, own.z)));
    if (fine) {
        combined(&own, c, p, q, dp, dq, qinv);
        RSA(store)(result, c, WORDS);
    }
    wipe(&own, sizeof own);
    wipe(c, sizeof c);
    return fine - 1;
}
