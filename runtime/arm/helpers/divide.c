/* Division, for cores without division instructions, or without those for 64 bits.
 *
 * Names and registers: "Run-time ABI for the Arm Architecture" (IHI 0043), 4.3.1. Helpers with remainder
 * return it after the quotient: for 32 bits, the two are the halves of one 64-bit value. A divisor of 0
 * gives a quotient of 0, as the division instructions do, and the dividend as the remainder. */

#include "helpers.h"

#define TOP   0x80000000u
#define TOP64 0x8000000000000000u

/* Shift-and-subtract division, starting at the highest possible bit of the quotient. */
uint64_t __aeabi_uidivmod(uint32_t a, uint32_t b)
{
    uint32_t quotient = 0;
    uint32_t bit      = b != 0;
    while (b < a && (b & TOP) == 0 && bit != 0) {
        b <<= 1;
        bit <<= 1;
    }
    for (; bit != 0; bit >>= 1, b >>= 1) {
        if (a >= b) {
            a -= b;
            quotient |= bit;
        }
    }
    return (uint64_t)a << 32 | quotient;
}

/* Returns only the quotient, which is in the same register as that of __aeabi_uidivmod. */
uint32_t __aeabi_uidiv(uint32_t a, uint32_t b)
{
    return (uint32_t)__aeabi_uidivmod(a, b);
}

static uint32_t magnitude(int32_t a)
{
    return a < 0 ? 0u - (uint32_t)a : (uint32_t)a;
}

static uint32_t with_sign(uint32_t a, int negative)
{
    return negative ? 0u - a : a;
}

uint64_t __aeabi_idivmod(int32_t a, int32_t b)
{
    uint64_t both      = __aeabi_uidivmod(magnitude(a), magnitude(b));
    uint32_t quotient  = with_sign((uint32_t)both, (a ^ b) < 0);
    uint32_t remainder = with_sign((uint32_t)(both >> 32), a < 0);
    return (uint64_t)remainder << 32 | quotient;
}

int32_t __aeabi_idiv(int32_t a, int32_t b)
{
    return (int32_t)__aeabi_idivmod(a, b);
}

uint64_t cocrypt_uldivmod(uint64_t a, uint64_t b, uint64_t *rest)
{
    uint64_t quotient = 0;
    uint64_t bit      = b != 0;
    while (b < a && (b & TOP64) == 0 && bit != 0) {
        b <<= 1;
        bit <<= 1;
    }
    for (; bit != 0; bit >>= 1, b >>= 1) {
        if (a >= b) {
            a -= b;
            quotient |= bit;
        }
    }
    *rest = a;
    return quotient;
}

static uint64_t magnitude64(int64_t a)
{
    return a < 0 ? 0u - (uint64_t)a : (uint64_t)a;
}

static uint64_t with_sign64(uint64_t a, int negative)
{
    return negative ? 0u - a : a;
}

uint64_t cocrypt_ldivmod(int64_t a, int64_t b, uint64_t *rest)
{
    uint64_t quotient = cocrypt_uldivmod(magnitude64(a), magnitude64(b), rest);
    *rest             = with_sign64(*rest, a < 0);
    return with_sign64(quotient, (a ^ b) < 0);
}
