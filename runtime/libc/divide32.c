/* 32-bit products, quotients and remainders for cores without the M extension. */

#include "helpers.h"

/* GCC for SuperH expects of this one, and of the quotient without signs, that they preserve registers; runtime/superh has
 * them. RL78 multiplies bytes: runtime/rl78 has this one. */
#if !defined(__sh__) && !defined(__RL78__)
uint32_t __mulsi3(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; b != 0; b >>= 1, a <<= 1) {
        product += (b & 1u) != 0 ? a : 0;
    }
    return product;
}
#endif

/* Shift-and-subtract division, one quotient bit per iteration. A divisor of 0 gives a quotient of all
 * ones and the dividend as the remainder, as the RISC-V instructions do. */
static uint32_t divide(uint32_t a, uint32_t b, uint32_t *rest)
{
    uint32_t quotient  = 0;
    uint32_t remainder = 0;
    for (int bit = 31; bit >= 0; bit--) {
        uint32_t carry = remainder >> 31;
        remainder      = remainder << 1 | (a >> bit & 1u);
        if (carry != 0 || remainder >= b) {
            remainder -= b;
            quotient |= (uint32_t)1 << bit;
        }
    }
    *rest = remainder;
    return quotient;
}

#ifndef __sh__
uint32_t __udivsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;
    return divide(a, b, &rest);
}
#endif

uint32_t __umodsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;
    (void)divide(a, b, &rest);
    return rest;
}

static uint32_t magnitude(int32_t a)
{
    return a < 0 ? 0u - (uint32_t)a : (uint32_t)a;
}

int32_t __divsi3(int32_t a, int32_t b)
{
    uint32_t quotient = __udivsi3(magnitude(a), magnitude(b));
    return (int32_t)((a < 0) != (b < 0) && b != 0 ? 0u - quotient : quotient);
}

int32_t __modsi3(int32_t a, int32_t b)
{
    uint32_t rest = __umodsi3(magnitude(a), magnitude(b));
    return (int32_t)(a < 0 ? 0u - rest : rest);
}
