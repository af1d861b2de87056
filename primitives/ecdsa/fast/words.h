/* Products of numbers, unrolled so that operands stay in registers. */

#ifndef WORDS_H
#define WORDS_H

#include "bytes.h"
#include "fast.h"

/* Expands to step(0) step(1) ... for each word. */
#if WORDS == 6
#define EACH_WORD(step) step(0) step(1) step(2) step(3) step(4) step(5)
#else
#define EACH_WORD(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)
#endif

/* t = a b, row by row. A loop, because compilers that see all rows at once compute all products first, and spill
 * them. */
static inline void words_multiply(uint32_t t[2 * WORDS], const NUMBER *left, const NUMBER *right)
{
    uint32_t b[WORDS], row[WORDS + 1];
#define LOAD(j) \
    b[j]       = right->w[j]; \
    row[j + 1] = 0;
    EACH_WORD(LOAD)
#undef LOAD
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t a   = left->w[i];
        uint64_t sum = 0;
#define TERM(j) \
    sum    = (uint64_t)a * b[j] + row[j + 1] + (uint32_t)(sum >> 32); \
    row[j] = (uint32_t)sum;
        EACH_WORD(TERM)
#undef TERM
        row[WORDS] = (uint32_t)(sum >> 32);
        t[i]       = row[0];
    }
#define STORE(j) t[WORDS + j] = row[j + 1];
    EACH_WORD(STORE)
#undef STORE
}

/* (top, middle, low) += a[i] a[j] */
#define TERM(i, j) \
    { \
        uint64_t product = (uint64_t)a[i] * a[j]; \
        uint32_t high    = (uint32_t)(product >> 32); \
        low += (uint32_t)product; \
        high += is_less(low, (uint32_t)product); \
        middle += high; \
        top += is_less(middle, high); \
    }

/* Finishes the column of products a[i] a[j], i < j: stores twice that plus a word of the squares in t[k]. `bit` is the
 * carry of doubling, `carry` that of the addition. */
#define COLUMN(k, square) \
    { \
        uint32_t twice = low << 1 | bit; \
        uint32_t sum   = twice + (square); \
        uint32_t over  = is_less(sum, twice); \
        bit            = low >> 31; \
        sum += carry; \
        carry  = over + is_less(sum, carry); \
        t[k]   = sum; \
        low    = middle; \
        middle = top; \
        top    = 0; \
    }

/* Columns 2 k and 2 k + 1, which contain the square of a[k]. */
#define EVEN(k) COLUMN(2 * (k), (uint32_t)(square = (uint64_t)a[k] * a[k]))
#define ODD(k)  COLUMN(2 * (k) + 1, (uint32_t)(square >> 32))

/* t = a^2, column by column (product scanning; P. G. Comba, "Exponentiation cryptosystems on the IBM PC", 1990). */
static inline void words_square(uint32_t t[2 * WORDS], const NUMBER *left)
{
    uint32_t a[WORDS];
    uint32_t low = 0, middle = 0, top = 0, bit = 0, carry = 0;
    uint64_t square;
#define LOAD(i) a[i] = left->w[i];
    EACH_WORD(LOAD)
#undef LOAD
    EVEN(0)
    TERM(0, 1) ODD(0)
    TERM(0, 2) EVEN(1)
    TERM(0, 3) TERM(1, 2) ODD(1)
    TERM(0, 4) TERM(1, 3) EVEN(2)
    TERM(0, 5) TERM(1, 4) TERM(2, 3) ODD(2)
#if WORDS == 6
    TERM(1, 5) TERM(2, 4) EVEN(3)
    TERM(2, 5) TERM(3, 4) ODD(3)
    TERM(3, 5) EVEN(4)
    TERM(4, 5) ODD(4)
    EVEN(5)
    ODD(5)
#else
    TERM(0, 6) TERM(1, 5) TERM(2, 4) EVEN(3)
    TERM(0, 7) TERM(1, 6) TERM(2, 5) TERM(3, 4) ODD(3)
    TERM(1, 7) TERM(2, 6) TERM(3, 5) EVEN(4)
    TERM(2, 7) TERM(3, 6) TERM(4, 5) ODD(4)
    TERM(3, 7) TERM(4, 6) EVEN(5)
    TERM(4, 7) TERM(5, 6) ODD(5)
    TERM(5, 7) EVEN(6)
    TERM(6, 7) ODD(6)
    EVEN(7)
    ODD(7)
#endif
    (void)top, (void)bit, (void)carry;
}

#undef TERM
#undef COLUMN
#undef EVEN
#undef ODD

#endif
