/* Squaring modulo 2^255 - 19: each product of two different words once, then doubled. */

#include "fe25519.h"

#include "words.h"
#include "wiping.h"

#define PRODUCT(i, j, word, carry) multiply_add(a##i, a##j, word, carry)

/* Adds products to word k: in the first row, at the beginning of another row, and elsewhere. */
#define FIRST(i, j, k) sum = PRODUCT(i, j, 0, (uint32_t)(sum >> 32)), t##k = (uint32_t)sum
#define BEGIN(i, j, k) sum = PRODUCT(i, j, t##k, 0), t##k = (uint32_t)sum
#define NEXT(i, j, k) sum = PRODUCT(i, j, t##k, (uint32_t)(sum >> 32)), t##k = (uint32_t)sum
#define END(k) t##k = (uint32_t)(sum >> 32)

#define DOUBLE(k, before) t##k = t##k << 1 | t##before >> 31

/* Adds the square of word i to words k and k + 1. */
#define SQUARE(i, k, after)                                                                            \
    sum = PRODUCT(i, i, t##k, (uint32_t)(sum >> 32)), t##k = (uint32_t)sum;                            \
    sum = (sum >> 32) + t##after, t##after = (uint32_t)sum

/* Reduction: 2^256 is 38. */
#define FOLD(i, high) sum = multiply_add(t##high, 38, t##i, (uint32_t)(sum >> 32)), t##i = (uint32_t)sum
#define CARRY(i) sum = (sum >> 32) + t##i, r[i] = (uint32_t)sum

uintptr_t fe25519_square(FE25519 r, const FE25519 a)
{
    const uint32_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7];
    uint32_t       t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15;
    uint64_t       sum = 0;
    FIRST(0, 1, 1), FIRST(0, 2, 2), FIRST(0, 3, 3), FIRST(0, 4, 4),
        FIRST(0, 5, 5), FIRST(0, 6, 6), FIRST(0, 7, 7), END(8);
    BEGIN(1, 2, 3), NEXT(1, 3, 4), NEXT(1, 4, 5), NEXT(1, 5, 6), NEXT(1, 6, 7), NEXT(1, 7, 8), END(9);
    BEGIN(2, 3, 5), NEXT(2, 4, 6), NEXT(2, 5, 7), NEXT(2, 6, 8), NEXT(2, 7, 9), END(10);
    BEGIN(3, 4, 7), NEXT(3, 5, 8), NEXT(3, 6, 9), NEXT(3, 7, 10), END(11);
    BEGIN(4, 5, 9), NEXT(4, 6, 10), NEXT(4, 7, 11), END(12);
    BEGIN(5, 6, 11), NEXT(5, 7, 12), END(13);
    BEGIN(6, 7, 13), END(14);
    t15 = t14 >> 31;
    DOUBLE(14, 13), DOUBLE(13, 12), DOUBLE(12, 11), DOUBLE(11, 10), DOUBLE(10, 9), DOUBLE(9, 8), DOUBLE(8, 7);
    DOUBLE(7, 6), DOUBLE(6, 5), DOUBLE(5, 4), DOUBLE(4, 3), DOUBLE(3, 2), DOUBLE(2, 1);
    t1 <<= 1;
    t0  = 0;
    sum = 0;
    SQUARE(0, 0, 1);
    SQUARE(1, 2, 3);
    SQUARE(2, 4, 5);
    SQUARE(3, 6, 7);
    SQUARE(4, 8, 9);
    SQUARE(5, 10, 11);
    SQUARE(6, 12, 13);
    SQUARE(7, 14, 15);
    sum = 0;
    FOLD(0, 8), FOLD(1, 9), FOLD(2, 10), FOLD(3, 11), FOLD(4, 12), FOLD(5, 13), FOLD(6, 14), FOLD(7, 15);
    sum = multiply_add((uint32_t)(sum >> 32), 38, t0, 0);
    t0  = (uint32_t)sum;
    CARRY(1), CARRY(2), CARRY(3), CARRY(4), CARRY(5), CARRY(6), CARRY(7);
    /* If there is another carry, the lowest word is small, so that this addition does not carry. */
    r[0] = t0 + (uint32_t)(sum >> 32) * 38;
    return stack_depth();
}
