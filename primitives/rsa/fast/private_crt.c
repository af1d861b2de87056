/* The private operation with the primes (RFC 8017, sections 5.1.2 and 5.2.1). */

#include "bytes.h"
#include "fast.h"

typedef struct {
    MODULUS  of;
    unsigned bits; /* lower bound of the bit length of both primes */
    uint32_t message[WORDS], result[WORDS];
    uint32_t x[HALF_WORDS], z[HALF_WORDS], table[(ENTRIES + 1) * HALF_WORDS];
} WORK;

/* z = R message^e, modulo a prime. */
static void power(WORK *own, const uint8_t *prime, const uint8_t *e)
{
    modulus_set(&own->of, prime, HALF_WORDS, own->bits);
    number_copy(own->of.t, own->message, WORDS);
    modulus_reduce(&own->of, own->x);
    modulus_multiply(&own->of, own->x, own->x, own->of.square);
    modulus_multiply(&own->of, own->x, own->x, own->of.square);
    modulus_power(&own->of, own->z, own->x, e, RSA_HALF_BYTES, own->table);
}

/* x = z / R; the rest of `result` is cleared. */
static void from_montgomery(WORK *own)
{
    number_copy(own->of.t, own->z, HALF_WORDS);
    number_copy(own->of.t + HALF_WORDS, own->result + HALF_WORDS, HALF_WORDS);
    modulus_reduce(&own->of, own->result);
}

/* result += z q; z q + result is below p q. */
static void add_multiple(WORK *own, const uint8_t *q)
{
    uint64_t carry = 0;
    number_load(own->x, q, HALF_WORDS);
    number_multiply(own->of.t, own->z, own->x, HALF_WORDS);
    for (unsigned i = 0; i < WORDS; i++) {
        carry += (uint64_t)own->result[i] + own->of.t[i];
        own->result[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Checks that p and q are odd, and that the message is below p q; a refusal is public. The length of p q is public,
 * because p q is the public modulus, and a prime is shorter than half the modulus size by no more bits than p q is
 * shorter than the modulus size. */
static int check(WORK *own, const uint8_t *p, const uint8_t *q)
{
    number_load(own->x, p, HALF_WORDS);
    number_load(own->z, q, HALF_WORDS);
    number_multiply(own->of.t, own->x, own->z, HALF_WORDS);
    unsigned bits = number_bits(own->of.t, WORDS);
    own->bits     = bits > RSA_BITS / 2 ? bits - RSA_BITS / 2 : 1;
    uint32_t odd  = own->of.t[0] & 1;
    return (int)revealed(odd & number_subtract(own->of.t, own->message, own->of.t, WORDS));
}

/* m2 + ((m1 - m2) qinv mod p) q, for the results m1 and m2 modulo p and q. */
int RSA(raw_private_crt)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES],
                         const uint8_t dp[RSA_HALF_BYTES], const uint8_t dq[RSA_HALF_BYTES],
                         const uint8_t qinv[RSA_HALF_BYTES], const uint8_t message[RSA_BYTES],
                         uint8_t result[RSA_BYTES])
{
    WORK own;
    number_load(own.message, message, WORDS);
    int fine = check(&own, p, q);
    if (fine) {
        for (unsigned i = 0; i < WORDS; i++) {
            own.result[i] = 0;
        }
        power(&own, q, dq);
        from_montgomery(&own);
        power(&own, p, dp);
        modulus_multiply(&own.of, own.x, own.result, own.of.square);
        modulus_subtract(&own.of, own.z, own.z, own.x);
        number_load(own.x, qinv, HALF_WORDS);
        modulus_multiply(&own.of, own.z, own.x, own.z);
        add_multiple(&own, q);
        number_store(result, own.result, WORDS);
    }
    wipe(&own, sizeof own);
    return fine - 1;
}
