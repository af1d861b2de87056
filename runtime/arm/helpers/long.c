/* 64-bit shifts and comparisons, which compilers call instead of inlining them.
 *
 * Names: "Run-time ABI for the Arm Architecture" (IHI 0043), 4.2 and 4.3.1. */

#include "helpers.h"

static uint64_t joined(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

uint64_t __aeabi_llsl(uint64_t a, int count)
{
    uint32_t low = (uint32_t)a, high = (uint32_t)(a >> 32);
    if (count >= 32) {
        return joined(low << (count - 32), 0);
    }
    return count == 0 ? a : joined(high << count | low >> (32 - count), low << count);
}

uint64_t __aeabi_llsr(uint64_t a, int count)
{
    uint32_t low = (uint32_t)a, high = (uint32_t)(a >> 32);
    if (count >= 32) {
        return high >> (count - 32);
    }
    return count == 0 ? a : joined(high >> count, low >> count | high << (32 - count));
}

int64_t __aeabi_lasr(int64_t a, int count)
{
    uint64_t flip = a < 0 ? ~(uint64_t)0 : 0;
    return (int64_t)(__aeabi_llsr((uint64_t)a ^ flip, count) ^ flip);
}

static int compared(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

int __aeabi_ulcmp(uint64_t a, uint64_t b)
{
    int high = compared((uint32_t)(a >> 32), (uint32_t)(b >> 32));
    return high != 0 ? high : compared((uint32_t)a, (uint32_t)b);
}

/* Flips the sign bits, so that an unsigned comparison orders signed numbers. */
int __aeabi_lcmp(int64_t a, int64_t b)
{
    const uint64_t sign = (uint64_t)1 << 63;
    return __aeabi_ulcmp((uint64_t)a ^ sign, (uint64_t)b ^ sign);
}
