/* Multiplication modulo 2^255 - 19, row by row. Eight words of the product are in registers, the lower ones already in
 * the result, which may be `b`: no word of b is needed twice. */

#include "fe25519.h"

#include "words.h"
#include "wiping.h"

/* Moves the window by a word: adds word i to the product; the sum becomes word i - 1. */
#define STEP(i, before)                                                                                 \
    sum = multiply_add(a##i, factor, t##i, (uint32_t)(sum >> 32)), t##before = (uint32_t)sum

/* The first row has nothing to add. */
#define FIRST(i, before) sum = multiply_add(a##i, factor, 0, (uint32_t)(sum >> 32)), t##before = (uint32_t)sum

/* Reduction: 2^256 is 38. */
#define FOLD(i) sum = multiply_add(t##i, 38, r[i], (uint32_t)(sum >> 32)), t##i = (uint32_t)sum

#define CARRY(i) sum = (sum >> 32) + t##i, r[i] = (uint32_t)sum

uintptr_t fe25519_multiply(FE25519 r, const FE25519 a, const FE25519 b)
{
    const uint32_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7];
    uint32_t       t0, t1, t2, t3, t4, t5, t6, t7, factor = b[0];
    uint64_t       sum = multiply_add(a0, factor, 0, 0);

    r[0] = (uint32_t)sum;
    FIRST(1, 0), FIRST(2, 1), FIRST(3, 2), FIRST(4, 3), FIRST(5, 4), FIRST(6, 5), FIRST(7, 6);
    t7 = (uint32_t)(sum >> 32);
    for (unsigned j = 1; j < FE25519_WORDS; j++) {
        factor = b[j];
        sum    = multiply_add(a0, factor, t0, 0);
        r[j]   = (uint32_t)sum;
        STEP(1, 0), STEP(2, 1), STEP(3, 2), STEP(4, 3), STEP(5, 4), STEP(6, 5), STEP(7, 6);
        t7 = (uint32_t)(sum >> 32);
    }
    sum = multiply_add(t0, 38, r[0], 0);
    t0  = (uint32_t)sum;
    FOLD(1), FOLD(2), FOLD(3), FOLD(4), FOLD(5), FOLD(6), FOLD(7);
    sum = multiply_add((uint32_t)(sum >> 32), 38, t0, 0);
    t0  = (uint32_t)sum;
    CARRY(1), CARRY(2), CARRY(3), CARRY(4), CARRY(5), CARRY(6), CARRY(7);
    /* If there is another carry, the lowest word is small, so that this addition does not carry. */
    r[0] = t0 + (uint32_t)(sum >> 32) * 38;
    return stack_depth();
}
