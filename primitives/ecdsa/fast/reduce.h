/* Reduction of products to field elements, for each of the primes. */

#ifndef REDUCE_H
#define REDUCE_H

#include "words.h"

/* Returns the low word of a column sum, and shifts the sum to the carry for the next column. */
static inline uint32_t column_word(int64_t *sum)
{
    uint32_t word = (uint32_t)*sum;
    *sum >>= 32;
    return word;
}

#if defined(ECDSA_SECP192R1)

#define P_WORDS {0xffffffff, 0xffffffff, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff}

/* r = t / R; returns the carry. Adds a multiple q of p = 2^192 - 2^64 - 1 that clears the low words: each word of q is
 * subtracted in its own column and 2 columns higher, and added 6 columns higher. */
static inline uint32_t words_reduce(uint32_t r[WORDS], const uint32_t t[2 * WORDS])
{
    int64_t  sum;
    uint32_t q0 = t[0], q1 = t[1];
    sum = (int64_t)t[2] - q0;
    uint32_t q2 = column_word(&sum);
    sum += (int64_t)t[3] - q1;
    uint32_t q3 = column_word(&sum);
    sum += (int64_t)t[4] - q2;
    uint32_t q4 = column_word(&sum);
    sum += (int64_t)t[5] - q3;
    uint32_t q5 = column_word(&sum);
    sum += (int64_t)t[6] - q4 + q0;
    r[0] = column_word(&sum);
    sum += (int64_t)t[7] - q5 + q1;
    r[1] = column_word(&sum);
    sum += (int64_t)t[8] + q2;
    r[2] = column_word(&sum);
    sum += (int64_t)t[9] + q3;
    r[3] = column_word(&sum);
    sum += (int64_t)t[10] + q4;
    r[4] = column_word(&sum);
    sum += (int64_t)t[11] + q5;
    r[5] = column_word(&sum);
    return (uint32_t)sum;
}

#elif defined(ECDSA_SECP256K1)

#define P_WORDS \
    {0xfffffc2f, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}

/* r = t mod p, or p more; returns the carry. R is 2^32 + 977 mod p. */
static inline uint32_t words_reduce(uint32_t r[WORDS], const uint32_t t[2 * WORDS])
{
    uint64_t sum  = 0;
    uint32_t last = 0;
#define FOLD(i) \
    sum += (uint64_t)t[i + WORDS] * 977 + t[i]; \
    sum += last; \
    last = t[i + WORDS]; \
    r[i] = (uint32_t)sum; \
    sum >>= 32;
    EACH_WORD(FOLD)
#undef FOLD
    /* Folds the rest above R, at most 33 bits, once more. */
    sum += last;
    uint32_t above = (uint32_t)(sum >> 32);
    last           = (uint32_t)sum;
    uint64_t low   = (uint64_t)last * 977 + r[0];
    r[0]           = (uint32_t)low;
    low            = (low >> 32) + above * 977 + last + (uint64_t)r[1];
    r[1]           = (uint32_t)low;
    low            = (low >> 32) + above;
#define CARRY(i) \
    if (i > 1) { \
        low += r[i]; \
        r[i] = (uint32_t)low; \
        low >>= 32; \
    }
    EACH_WORD(CARRY)
#undef CARRY
    return (uint32_t)low;
}

#else

#define P_WORDS \
    {0xffffffff, 0xffffffff, 0xffffffff, 0x00000000, 0x00000000, 0x00000000, 0x00000001, 0xffffffff}

/* r = t / R; returns the carry. Adds a multiple q of p = 2^256 - 2^224 + 2^192 + 2^96 - 1 that clears the low words:
 * each word of q is subtracted in its own column and 7 columns higher, and added 3, 6 and 8 columns higher. */
static inline uint32_t words_reduce(uint32_t r[WORDS], const uint32_t t[2 * WORDS])
{
    uint32_t q0 = t[0], q1 = t[1], q2 = t[2];
    int64_t  sum = (int64_t)t[3] + q0;
    uint32_t q3  = column_word(&sum);
    sum += (int64_t)t[4] + q1;
    uint32_t q4 = column_word(&sum);
    sum += (int64_t)t[5] + q2;
    uint32_t q5 = column_word(&sum);
    sum += (int64_t)t[6] + q3 + q0;
    uint32_t q6 = column_word(&sum);
    sum += (int64_t)t[7] + q4 + q1 - q0;
    uint32_t q7 = column_word(&sum);
    sum += (int64_t)t[8] + q5 + q2 - q1 + q0;
    r[0] = column_word(&sum);
    sum += (int64_t)t[9] + q6 + q3 - q2 + q1;
    r[1] = column_word(&sum);
    sum += (int64_t)t[10] + q7 + q4 - q3 + q2;
    r[2] = column_word(&sum);
    sum += (int64_t)t[11] + q5 - q4 + q3;
    r[3] = column_word(&sum);
    sum += (int64_t)t[12] + q6 - q5 + q4;
    r[4] = column_word(&sum);
    sum += (int64_t)t[13] + q7 - q6 + q5;
    r[5] = column_word(&sum);
    sum += (int64_t)t[14] - q7 + q6;
    r[6] = column_word(&sum);
    sum += (int64_t)t[15] + q7;
    r[7] = column_word(&sum);
    return (uint32_t)sum;
}

#endif

#endif
