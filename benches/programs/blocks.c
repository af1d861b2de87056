/* Copies, fills and compares blocks of memory of many sizes, as C's library does it. */
#include "kernel.h"

#include <string.h>

static uint8_t from[1024], to[1024];

uint32_t kernel(uint32_t rounds)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)(i * 7);
    while (rounds--) {
        for (size_t size = 1; size < 512; size += 1 + size / 3) {
            size_t at = (size * 5 + rounds) & 15;
            memcpy(to + at, from + (at ^ 5), size);
            memset(to + at + size, (int)size, size / 2);
            memmove(to + 3, to + at, size);
            sum = sum * 3 + (memcmp(to, from, size) > 0) + to[size];
        }
    }
    return sum;
}
