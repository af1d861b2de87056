/* Columns of products: those that belong to one limb, with what is carried from the limb before. Shifts of
 * numbers below 0 round down, as compilers do them. */

#ifndef COLUMNS_H
#define COLUMNS_H

#include "fe25519.h"

/* 2^261 counts 64 times as much as 2^255. */
enum { LIMB = 0x1fffffff, HALF = 0x10000000, TOP_HALF = 0x400000, FOLD = 19 << 6 };

#define PRODUCT(a, b) ((int64_t)(int32_t)(a) * (int32_t)(b))

/* The column ends in a limb from 2^261 on. */
#define HIGH(k) h##k = (uint32_t)sum & LIMB, sum >>= FE25519_BITS

/* The column ends in a limb of the result, to which another one is folded. */
#define LOW(k, high)                                                                                    \
    sum += PRODUCT(h##high, FOLD), sum += HALF;                                                         \
    r[k] = ((uint32_t)sum & LIMB) - HALF, sum >>= FE25519_BITS

/* The same for the highest one. */
#define TOP(high)                                                                                       \
    sum += PRODUCT(h##high, FOLD), sum += TOP_HALF;                                                     \
    r[8] = ((uint32_t)sum & FE25519_TOP) - TOP_HALF, sum >>= FE25519_TOP_BITS

/* What is carried at 2^255 counts 19 times as much. */
static inline void carry_top(FE25519 r, int64_t sum)
{
    sum  = sum * 19 + (int32_t)r[0] + HALF;
    r[0] = ((uint32_t)sum & LIMB) - HALF;
    r[1] += (uint32_t)(sum >> FE25519_BITS);
}

#endif
