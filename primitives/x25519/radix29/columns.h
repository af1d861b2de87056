/* Columns of products (product scanning): the products of one limb, with the carry of the previous limb. Right shifts
 * of negative numbers round down, as compilers implement them. */

#ifndef COLUMNS_H
#define COLUMNS_H

#include "fe25519.h"

/* 2^261 is 19 times 64 modulo the prime. */
enum { LIMB = 0x1fffffff, HALF = 0x10000000, TOP_HALF = 0x400000, FOLD = 19 << 6 };

#define PRODUCT(a, b) ((int64_t)(int32_t)(a) * (int32_t)(b))

/* Finishes a column from 2^261 on. */
#define HIGH(k) h##k = (uint32_t)sum & LIMB, sum >>= FE25519_BITS

/* Finishes a column of the result: folds a high limb into it, and rounds to a signed limb. */
#define LOW(k, high)                                                                                    \
    sum += PRODUCT(h##high, FOLD), sum += HALF;                                                         \
    r[k] = ((uint32_t)sum & LIMB) - HALF, sum >>= FE25519_BITS

/* The same for the highest limb. */
#define TOP(high)                                                                                       \
    sum += PRODUCT(h##high, FOLD), sum += TOP_HALF;                                                     \
    r[8] = ((uint32_t)sum & FE25519_TOP) - TOP_HALF, sum >>= FE25519_TOP_BITS

/* Adds the carry at 2^255, which counts 19 times. */
static inline void carry_top(FE25519 r, int64_t sum)
{
    sum  = sum * 19 + (int32_t)r[0] + HALF;
    r[0] = ((uint32_t)sum & LIMB) - HALF;
    r[1] += (uint32_t)(sum >> FE25519_BITS);
}

#endif
