/* The private operation with the primes (RFC 8017, sections 5.1.2 and 5.2.1), with blinding and verification.
 *
 * Sources: P. Kocher, "Timing attacks on implementations of Diffie-Hellman, RSA, DSS, and other systems" (1996),
 * section 10; D. Boneh, R. DeMillo, R. Lipton, "On the importance of checking cryptographic protocols for faults"
 * (1997): a result that is right modulo one prime and wrong modulo the other reveals that prime as a greatest common
 * divisor. */

#include "bytes.h"
#include "rsa_raw.h"
#include "rsa_room.h"
#include "wiping.h"

STACK_ROOM(room_crt, RSA_ROOM_CRT)

typedef struct {
    uint8_t  n[RSA_BYTES];
    uint8_t  made[RSA_BYTES]; /* message^d r */
    uint8_t  x[RSA_BYTES];    /* message r^e, and finally message^d */
    uint8_t  back[RSA_BYTES]; /* the message, recomputed from the result */
    uint32_t sum;             /* checksum of n and `made` at verification */
} WORK;

/* n = p q, which is public. */
static NOINLINE void multiply(uint8_t n[RSA_BYTES], const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES])
{
    for (size_t i = 0; i < RSA_BYTES; i++) {
        n[i] = 0;
    }
    for (size_t i = RSA_HALF_BYTES; i-- > 0;) {
        uint32_t carry = 0;
        for (size_t j = RSA_HALF_BYTES; j-- > 0;) {
            carry += (uint32_t)p[i] * q[j] + n[i + j + 1];
            n[i + j + 1] = (uint8_t)carry;
            carry >>= 8;
        }
        n[i] = (uint8_t)carry;
    }
    for (size_t i = 0; i < RSA_BYTES; i++) {
        n[i] = (uint8_t)revealed(n[i]);
    }
}

static uint32_t differ(const uint8_t a[RSA_BYTES], const uint8_t b[RSA_BYTES])
{
    uint32_t bits = 0;
    for (size_t i = 0; i < RSA_BYTES; i++) {
        bits |= (uint32_t)(a[i] ^ b[i]);
    }
    return revealed(bits);
}

/* A checksum of n and `made` that changes if any one word changes. */
static NOINLINE uint32_t sum(const WORK *own)
{
    uint32_t found = 0;
    for (size_t i = 0; i < 2 * RSA_BYTES; i += 4) {
        const uint8_t *word = i < RSA_BYTES ? own->n + i : own->made + i - RSA_BYTES;
        found               = rotl32(found, 1) + load32_be(word);
    }
    return found;
}

/* less = prime - 2, for an odd prime. */
static NOINLINE void minus_two(uint8_t less[RSA_HALF_BYTES], const uint8_t prime[RSA_HALF_BYTES])
{
    uint32_t borrow = 2;
    for (size_t i = RSA_HALF_BYTES; i-- > 0;) {
        uint32_t rest = prime[i] - borrow;
        less[i]       = (uint8_t)rest;
        borrow        = rest >> 31;
    }
}

/* Both values are powers modulo the primes; the one with exponent prime - 2 is the inverse (Fermat). */
int RSA(blind)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES], const uint8_t qinv[RSA_HALF_BYTES],
               const uint8_t e[RSA_E_BYTES], const uint8_t random[RSA_BYTES], uint8_t blinding[2 * RSA_BYTES])
{
    uint8_t  r[RSA_BYTES] = {0}, less[2][RSA_HALF_BYTES], wide[RSA_HALF_BYTES] = {0};
    uint32_t any = 0;
    for (size_t i = 1; i < RSA_BYTES; i++) {
        r[i] = random[i];
        any |= random[i];
    }
    for (size_t i = 0; i < RSA_E_BYTES; i++) {
        wide[RSA_HALF_BYTES - RSA_E_BYTES + i] = e[i];
    }
    minus_two(less[0], p);
    minus_two(less[1], q);
    int fine = RSA(is_exponent)(e, RSA_E_BYTES) && revealed(any) != 0;
    fine     = fine && RSA(raw_private_crt)(p, q, wide, wide, qinv, r, blinding) == 0;
    fine     = fine && RSA(raw_private_crt)(p, q, less[0], less[1], qinv, r, blinding + RSA_BYTES) == 0;
    wipe(r, sizeof r);
    wipe(less, sizeof less);
    wipe_below(room_crt());
    return fine - 1;
}

/* made = x^d for x = message r^e, after r has been squared. x is computed again for the verification of made^e, in case
 * the first copy has changed. The verification precedes the removal of r: a blinded value reveals nothing. */
static NOINLINE int blinded(WORK *own, const uint8_t *const primes[5], const uint8_t *e, uint8_t *blinding,
                            const uint8_t *message)
{
    for (size_t half = 0; half < 2 * RSA_BYTES; half += RSA_BYTES) {
        if (RSA(times)(own->n, blinding + half, blinding + half, blinding + half) != 0) {
            return 0;
        }
    }
    if (RSA(times)(own->n, message, blinding, own->x) != 0 ||
        RSA(raw_private_crt)(primes[0], primes[1], primes[2], primes[3], primes[4], own->x, own->made) != 0) {
        return 0;
    }
    for (size_t i = 0; i < RSA_BYTES; i++) {
        own->made[i] = (uint8_t)revealed(own->made[i]);
    }
    own->sum = sum(own);
    return RSA(raw_public)(own->n, e, own->made, own->back) == 0 &&
           RSA(times)(own->n, message, blinding, own->x) == 0 && differ(own->back, own->x) == 0;
}

int RSA(private_crt)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES],
                     const uint8_t dp[RSA_HALF_BYTES], const uint8_t dq[RSA_HALF_BYTES],
                     const uint8_t qinv[RSA_HALF_BYTES], const uint8_t e[RSA_E_BYTES],
                     uint8_t blinding[2 * RSA_BYTES], const uint8_t message[RSA_BYTES], uint8_t result[RSA_BYTES])
{
    WORK                 own;
    const uint8_t *const primes[5] = {p, q, dp, dq, qinv};
    multiply(own.n, p, q);
    int fine = RSA(is_exponent)(dp, RSA_HALF_BYTES) & RSA(is_exponent)(dq, RSA_HALF_BYTES) &
               RSA(is_exponent)(e, RSA_E_BYTES);
    fine = fine && blinded(&own, primes, e, blinding, message);
    /* r is removed from the verified value: the checksum detects a fault after the verification. */
    fine = fine && RSA(times)(own.n, own.made, blinding + RSA_BYTES, own.x) == 0 && sum(&own) == own.sum;
    for (size_t i = 0; fine && i < RSA_BYTES; i++) {
        result[i] = own.x[i];
    }
    wipe(&own, sizeof own);
    wipe_below(room_crt());
    return fine - 1;
}
