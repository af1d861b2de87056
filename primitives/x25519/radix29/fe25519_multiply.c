/* Multiplication modulo 2^255 - 19, column by column (product scanning): first the columns from 2^261 on, which are
 * then folded. */

#include "columns.h"
#include "wiping.h"

#define P(i, j) sum += PRODUCT(a##i, b##j)

uintptr_t fe25519_multiply(FE25519 r, const FE25519 a, const FE25519 b)
{
    const uint32_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7],
                   a8 = a[8];
    const uint32_t b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3], b4 = b[4], b5 = b[5], b6 = b[6], b7 = b[7],
                   b8 = b[8];
    uint32_t h9, h10, h11, h12, h13, h14, h15, h16, h17;
    int64_t  sum = 0;
    P(1, 8), P(2, 7), P(3, 6), P(4, 5), P(5, 4), P(6, 3), P(7, 2), P(8, 1);
    HIGH(9);
    P(2, 8), P(3, 7), P(4, 6), P(5, 5), P(6, 4), P(7, 3), P(8, 2);
    HIGH(10);
    P(3, 8), P(4, 7), P(5, 6), P(6, 5), P(7, 4), P(8, 3);
    HIGH(11);
    P(4, 8), P(5, 7), P(6, 6), P(7, 5), P(8, 4);
    HIGH(12);
    P(5, 8), P(6, 7), P(7, 6), P(8, 5);
    HIGH(13);
    P(6, 8), P(7, 7), P(8, 6);
    HIGH(14);
    P(7, 8), P(8, 7);
    HIGH(15);
    P(8, 8);
    HIGH(16);
    h17 = (uint32_t)sum;
    sum = 0;
    P(0, 0);
    LOW(0, 9);
    P(0, 1), P(1, 0);
    LOW(1, 10);
    P(0, 2), P(1, 1), P(2, 0);
    LOW(2, 11);
    P(0, 3), P(1, 2), P(2, 1), P(3, 0);
    LOW(3, 12);
    P(0, 4), P(1, 3), P(2, 2), P(3, 1), P(4, 0);
    LOW(4, 13);
    P(0, 5), P(1, 4), P(2, 3), P(3, 2), P(4, 1), P(5, 0);
    LOW(5, 14);
    P(0, 6), P(1, 5), P(2, 4), P(3, 3), P(4, 2), P(5, 1), P(6, 0);
    LOW(6, 15);
    P(0, 7), P(1, 6), P(2, 5), P(3, 4), P(4, 3), P(5, 2), P(6, 1), P(7, 0);
    LOW(7, 16);
    P(0, 8), P(1, 7), P(2, 6), P(3, 5), P(4, 4), P(5, 3), P(6, 2), P(7, 1), P(8, 0);
    TOP(17);
    carry_top(r, sum);
    return stack_depth();
}
