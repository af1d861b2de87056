/* Sums in the field GF(2^255 - 19). */

#include "fe25519.h"

#include "words.h"

enum { TOP = FE25519_WORDS - 1 };

/* Multiples of 2^255 are first subtracted from the highest words, as additions of 19 each, so that one carry chain is
 * enough. The rest is below 2^255 plus 2 in the highest word. */
void fe25519_add(FE25519 r, const FE25519 a, const FE25519 b)
{
    uint32_t quotient = ((a[TOP] >> 1) + (b[TOP] >> 1)) >> 30;
    uint32_t top      = a[TOP] + b[TOP] - (quotient << 31);
    uint64_t sum      = (uint64_t)quotient * 19;
    for (unsigned i = 0; i < TOP; i++) {
        sum += (uint64_t)a[i] + b[i];
        r[i] = (uint32_t)sum;
        sum >>= 32;
    }
    r[TOP] = top + (uint32_t)sum;
}

/* As for addition, but one 2^255 remains, so that the result is not negative. */
void fe25519_subtract(FE25519 r, const FE25519 a, const FE25519 b)
{
    uint32_t missing = 3 - (((a[TOP] >> 1) - (b[TOP] >> 1) + 0x80000000) >> 30);
    uint32_t top     = a[TOP] - b[TOP] + (missing << 31);
    uint32_t borrow  = missing * 19;
    for (unsigned i = 0; i < TOP; i++) {
        r[i] = subtract_borrow(a[i], b[i], &borrow);
    }
    r[TOP] = top - borrow;
}

void fe25519_add_multiple(FE25519 r, const FE25519 a, const FE25519 b, uint32_t small)
{
    uint32_t t[FE25519_WORDS];
    uint64_t sum = 0;
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        sum  = multiply_add(b[i], small, a[i], (uint32_t)(sum >> 32));
        t[i] = (uint32_t)sum;
    }
    sum = ((uint32_t)(sum >> 32) << 1 | t[TOP] >> 31) * 19;
    t[TOP] &= 0x7fffffff;
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        sum += t[i];
        r[i] = (uint32_t)sum;
        sum >>= 32;
    }
}
