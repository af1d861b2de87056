/* The remainder of 64 bits in the place of that of GCC's library, `config/microblaze/moddi3.S` there: GCC 12.2's has no
 * sign, and takes the wrong words of numbers whose lowest byte is the first. */

#include <stdint.h>

int64_t __moddi3(int64_t a, int64_t b);

static uint64_t magnitude(int64_t a)
{
    return a < 0 ? 0u - (uint64_t)a : (uint64_t)a;
}

int64_t __moddi3(int64_t a, int64_t b)
{
    uint64_t rest = magnitude(a) % magnitude(b);
    return (int64_t)(a < 0 ? 0u - rest : rest);
}
