/* Products of 64 bits for an SH-1, which multiplies halfwords.
 *
 * Name and meaning: "The GCC low-level runtime library", GCC internals manual, chapter 4. */

#ifdef __sh1__

#include "../../libc/helpers.h"

static uint32_t product(uint32_t a, uint32_t b)
{
    return (uint32_t)(uint16_t)a * (uint16_t)b;
}

uint64_t __muldi3(uint64_t a, uint64_t b)
{
    pair     x = {.whole = a}, y = {.whole = b}, z;
    uint32_t low    = product(x.half.low, y.half.low);
    uint32_t first  = product(x.half.low >> 16, y.half.low) + (low >> 16);
    uint32_t second = product(x.half.low, y.half.low >> 16) + (uint16_t)first;
    z.half.low      = second << 16 | (uint16_t)low;
    z.half.high     = product(x.half.low >> 16, y.half.low >> 16) + (first >> 16) + (second >> 16);
    z.half.high += x.half.low * y.half.high + x.half.high * y.half.low;
    return z.whole;
}

#endif
