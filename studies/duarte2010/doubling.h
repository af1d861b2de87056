/* Modular products by doubling and adding, for the paper's 32-bit numbers: no intermediate exceeds 32 bits. */

#ifndef DOUBLING_H
#define DOUBLING_H

#include <stdint.h>

/* 2 a mod n, for a below n. */
static inline uint32_t doubled(uint32_t a, uint32_t n)
{
    return a >= n - a ? a - (n - a) : a + a;
}

/* a b mod n, for a below n, by doubling and adding. */
static inline uint32_t doubled_and_added(uint32_t a, uint32_t b, uint32_t n)
{
    uint32_t sum = 0;
    for (; b != 0; b >>= 1) {
        if (b & 1) {
            sum = sum >= n - a ? sum - (n - a) : sum + a;
        }
        a = doubled(a, n);
    }
    return sum;
}

#endif
