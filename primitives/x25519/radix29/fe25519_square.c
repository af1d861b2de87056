/* Squaring modulo 2^255 - 19: like multiplication, but each product of two different limbs is computed once, with one
 * of them doubled. */

#include "columns.h"
#include "wiping.h"

#define C(i, j) sum += PRODUCT(d##i, a##j)
#define S(i) sum += PRODUCT(a##i, a##i)

uintptr_t fe25519_square(FE25519 r, const FE25519 a)
{
    const uint32_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7],
                   a8 = a[8];
    const uint32_t d0 = 2 * a0, d1 = 2 * a1, d2 = 2 * a2, d3 = 2 * a3, d4 = 2 * a4, d5 = 2 * a5,
                   d6 = 2 * a6, d7 = 2 * a7;
    uint32_t h9, h10, h11, h12, h13, h14, h15, h16, h17;
    int64_t  sum = 0;
    C(1, 8), C(2, 7), C(3, 6), C(4, 5);
    HIGH(9);
    C(2, 8), C(3, 7), C(4, 6), S(5);
    HIGH(10);
    C(3, 8), C(4, 7), C(5, 6);
    HIGH(11);
    C(4, 8), C(5, 7), S(6);
    HIGH(12);
    C(5, 8), C(6, 7);
    HIGH(13);
    C(6, 8), S(7);
    HIGH(14);
    C(7, 8);
    HIGH(15);
    S(8);
    HIGH(16);
    h17 = (uint32_t)sum;
    sum = 0;
    S(0);
    LOW(0, 9);
    C(0, 1);
    LOW(1, 10);
    C(0, 2), S(1);
    LOW(2, 11);
    C(0, 3), C(1, 2);
    LOW(3, 12);
    C(0, 4), C(1, 3), S(2);
    LOW(4, 13);
    C(0, 5), C(1, 4), C(2, 3);
    LOW(5, 14);
    C(0, 6), C(1, 5), C(2, 4), S(3);
    LOW(6, 15);
    C(0, 7), C(1, 6), C(2, 5), C(3, 4);
    LOW(7, 16);
    C(0, 8), C(1, 7), C(2, 6), C(3, 5), S(4);
    TOP(17);
    carry_top(r, sum);
    return stack_depth();
}
