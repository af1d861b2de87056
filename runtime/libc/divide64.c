/* 64-bit shifts, products, quotients and remainders from 32-bit operations. */

#include "helpers.h"

/* RL78 has shifts and products of its own, in runtime/rl78, and an SH-1 products, in runtime/superh. */
#ifndef __RL78__

uint64_t __ashldi3(uint64_t a, shift_count count)
{
    pair p = {.whole = a};
    if (count >= 32) {
        p.half.high = p.half.low << (count - 32);
        p.half.low  = 0;
    } else if (count > 0) {
        p.half.high = p.half.high << count | p.half.low >> (32 - count);
        p.half.low <<= count;
    }
    return p.whole;
}

uint64_t __lshrdi3(uint64_t a, shift_count count)
{
    pair p = {.whole = a};
    if (count >= 32) {
        p.half.low  = p.half.high >> (count - 32);
        p.half.high = 0;
    } else if (count > 0) {
        p.half.low = p.half.low >> count | p.half.high << (32 - count);
        p.half.high >>= count;
    }
    return p.whole;
}

int64_t __ashrdi3(int64_t a, shift_count count)
{
    uint64_t flip = a < 0 ? ~0ull : 0;
    return (int64_t)(__lshrdi3((uint64_t)a ^ flip, count) ^ flip);
}

#endif

#if !defined(__RL78__) && !defined(__sh1__)
uint64_t __muldi3(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    while (b != 0) {
        product += (b & 1u) != 0 ? a : 0;
        a = __ashldi3(a, 1);
        b = __lshrdi3(b, 1);
    }
    return product;
}

#endif

/* A divisor of 0 gives a quotient of all ones and the dividend as the remainder. */
static uint64_t divide(uint64_t a, uint64_t b, uint64_t *rest)
{
    uint64_t quotient  = 0;
    uint64_t remainder = 0;
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t carry = __lshrdi3(remainder, 63);
        remainder      = __ashldi3(remainder, 1) | (__lshrdi3(a, bit) & 1u);
        if (carry != 0 || remainder >= b) {
            remainder -= b;
            quotient |= __ashldi3(1, bit);
        }
    }
    *rest = remainder;
    return quotient;
}

uint64_t __udivdi3(uint64_t a, uint64_t b)
{
    uint64_t rest;
    return divide(a, b, &rest);
}

uint64_t __umoddi3(uint64_t a, uint64_t b)
{
    uint64_t rest;
    (void)divide(a, b, &rest);
    return rest;
}

static uint64_t magnitude(int64_t a)
{
    return a < 0 ? 0u - (uint64_t)a : (uint64_t)a;
}

int64_t __divdi3(int64_t a, int64_t b)
{
    uint64_t quotient = __udivdi3(magnitude(a), magnitude(b));
    return (int64_t)((a < 0) != (b < 0) && b != 0 ? 0u - quotient : quotient);
}

int64_t __moddi3(int64_t a, int64_t b)
{
    uint64_t rest = __umoddi3(magnitude(a), magnitude(b));
    return (int64_t)(a < 0 ? 0u - rest : rest);
}
