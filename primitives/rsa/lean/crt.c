/* The private operation with the primes (RFC 8017, sections 5.1.2 and 5.2.1). */

#include "bytes.h"
#include "lean.h"

/* Column sums of products of words (product scanning): the sum of the low words, and that of the high words, which
 * belongs to the next column. */
typedef struct {
    uint64_t low, high;
} COLUMN;

static uint32_t word_at(const uint8_t *bytes, unsigned words, unsigned i)
{
    return load32_be(bytes + 4 * (words - 1 - i));
}

/* Word k of p q, after the words below it. */
static uint32_t next_word(COLUMN *sum, const uint8_t *p, const uint8_t *q, unsigned k)
{
    unsigned from = k < HALF_WORDS ? 0 : k - HALF_WORDS + 1, to = k < HALF_WORDS ? k : HALF_WORDS - 1;
    for (unsigned i = from; i <= to; i++) {
        uint64_t product = (uint64_t)word_at(p, HALF_WORDS, i) * word_at(q, HALF_WORDS, k - i);
        sum->low += (uint32_t)product;
        sum->high += product >> 32;
    }
    uint32_t word = (uint32_t)sum->low;
    sum->low      = (sum->low >> 32) + sum->high;
    sum->high     = 0;
    return word;
}

/* Checks that p and q are odd, and that the message is below p q; a refusal is public. */
static int check(const uint8_t *p, const uint8_t *q, const uint8_t *message)
{
    COLUMN   sum    = {0, 0};
    uint32_t borrow = 0;
    for (unsigned k = 0; k < WORDS; k++) {
        uint64_t rest = (uint64_t)word_at(message, WORDS, k) - next_word(&sum, p, q, k) - borrow;
        borrow        = (uint32_t)(rest >> 32) & 1;
    }
    return (int)revealed(borrow & p[RSA_HALF_BYTES - 1] & q[RSA_HALF_BYTES - 1]);
}

/* result = h q + m2 */
static void combine(uint8_t *result, const uint8_t *h, const uint8_t *q, const uint8_t *m2)
{
    COLUMN   sum   = {0, 0};
    uint64_t carry = 0;
    for (unsigned k = 0; k < WORDS; k++) {
        carry += next_word(&sum, h, q, k);
        carry += k < HALF_WORDS ? word_at(m2, HALF_WORDS, k) : 0;
        store32_be(result + 4 * (WORDS - 1 - k), (uint32_t)carry);
        carry >>= 32;
    }
    wipe(&sum, sizeof sum);
}

/* The memory: a number, and the results modulo q and, with its intermediate values, p. */
typedef struct {
    uint32_t memory[2 * HALF_WORDS + 2];
    uint8_t  m2[RSA_HALF_BYTES], m1[RSA_HALF_BYTES];
} WORK;

/* z = message^e modulo a prime; x is memory for the reduced message. */
static void power(NUMBER *z, WORK *own, const uint8_t *prime, const uint8_t *e, const uint8_t *message)
{
    RSA(begin)(z, prime, HALF_WORDS, own->memory);
    RSA(set)(z, message, RSA_BYTES, 0);
    RSA(store)(z, own->m1);
    RSA(power)(z, own->m1, e, RSA_HALF_BYTES, 0);
}

/* m2 + ((m1 - m2) qinv mod p) q */
int RSA(raw_private_crt)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES],
                         const uint8_t dp[RSA_HALF_BYTES], const uint8_t dq[RSA_HALF_BYTES],
                         const uint8_t qinv[RSA_HALF_BYTES], const uint8_t message[RSA_BYTES],
                         uint8_t result[RSA_BYTES])
{
    NUMBER z;
    WORK   own;
    if (!check(p, q, message)) {
        return -1;
    }
    power(&z, &own, q, dq, message);
    RSA(store)(&z, own.m2);
    power(&z, &own, p, dp, message);
    RSA(store)(&z, own.m1);
    RSA(set)(&z, own.m2, RSA_HALF_BYTES, 0);
    RSA(subtract_from)(&z, own.m1);
    RSA(store)(&z, own.m1);
    RSA(set)(&z, own.m1, RSA_HALF_BYTES, 32 * HALF_WORDS);
    RSA(multiply)(&z, qinv, UINT32_MAX);
    RSA(store)(&z, own.m1);
    combine(result, own.m1, q, own.m2);
    wipe(&own, sizeof own);
    return 0;
}
