/* z = a b / R mod m in two plain loops, one word of a per pass (Koc, Acar, Kaliski, "Analyzing and comparing
 * Montgomery multiplication algorithms", 1996, CIOS): shows the gain of rows of 8 words. */

#include "numbers.h"

/* t = (t + a b + q m) / 2^32, with q such that the division is exact; returns the word above t. */
static uint32_t add(const MODULUS *of, uint32_t *t, uint32_t a, const uint32_t *b, uint32_t above)
{
    uint32_t q    = (t[0] + a * b[0]) * of->inverse;
    uint64_t left = (uint64_t)a * b[0] + t[0], right = (uint64_t)q * of->m[0] + (uint32_t)left;
    for (unsigned j = 1; j < of->words; j++) {
        left     = (left >> 32) + (uint64_t)a * b[j] + t[j];
        right    = (right >> 32) + (uint64_t)q * of->m[j] + (uint32_t)left;
        t[j - 1] = (uint32_t)right;
    }
    left             = (left >> 32) + (right >> 32) + above;
    t[of->words - 1] = (uint32_t)left;
    return (uint32_t)(left >> 32);
}

void modulus_multiply(MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    uint32_t *sum = of->t, *less = of->t + of->words, above = 0;
    for (unsigned i = 0; i < of->words; i++) {
        sum[i] = 0;
    }
    for (unsigned i = 0; i < of->words; i++) {
        above = add(of, sum, a[i], b, above);
    }
    uint32_t borrow = number_subtract(less, sum, of->m, of->words);
    number_choose(z, sum, less, above - borrow, of->words);
}
