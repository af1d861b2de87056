/* Recursion: Ackermann's function, and the queens' problem by bits. */
#include "kernel.h"

static uint32_t ackermann(uint32_t m, uint32_t n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static uint32_t queens(uint32_t all, uint32_t columns, uint32_t left, uint32_t right)
{
    uint32_t solutions = columns == all;
    for (uint32_t free = all & ~(columns | left | right); free; free &= free - 1) {
        uint32_t bit = free & (0u - free);
        solutions += queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return solutions;
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t sum = 0;
    while (rounds--)
        sum = sum * 3 + ackermann(2, 9 + (rounds & 3)) + queens(0x7f, 0, 0, 0);
    return sum;
}
