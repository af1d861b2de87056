/* Bit counts and byte swaps, for cores without instructions for them.
 *
 * Names: "The GCC low-level runtime library", GCC internals manual, chapter 4. */

#include "helpers.h"

int __clzsi2(uint32_t a)
{
    int zeros = 32;
    for (int half = 16; half != 0; half >>= 1) {
        if (a >> half != 0) {
            a >>= half;
            zeros -= half;
        }
    }
    return zeros - (int)a;
}

int __clzdi2(uint64_t a)
{
    uint32_t high = (uint32_t)(a >> 32);
    return high != 0 ? __clzsi2(high) : 32 + __clzsi2((uint32_t)a);
}

int __ctzsi2(uint32_t a)
{
    return 31 - __clzsi2(a & (0u - a));
}

int __ctzdi2(uint64_t a)
{
    uint32_t low = (uint32_t)a;
    return low != 0 ? __ctzsi2(low) : 32 + __ctzsi2((uint32_t)(a >> 32));
}

int __popcountsi2(uint32_t a)
{
    a -= a >> 1 & 0x55555555u;
    a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
    a = (a + (a >> 4)) & 0x0f0f0f0fu;
    return (int)(a * 0x01010101u >> 24);
}

int __popcountdi2(uint64_t a)
{
    return __popcountsi2((uint32_t)a) + __popcountsi2((uint32_t)(a >> 32));
}

uint32_t __bswapsi2(uint32_t a)
{
    uint32_t exchanged = (a >> 16 | a << 16) ^ a;
    return (a >> 8 | a << 24) ^ (exchanged & 0xff00ffffu) >> 8;
}

uint64_t __bswapdi2(uint64_t a)
{
    return (uint64_t)__bswapsi2((uint32_t)a) << 32 | __bswapsi2((uint32_t)(a >> 32));
}
