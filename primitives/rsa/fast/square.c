/* Squaring: products of different words once, doubled, plus the squares of words. */

#include "bytes.h"
#include "fast.h"

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

/* Finishes a column: adds what is in t[k], doubles the sum, and adds a word of the squares. */
#define COLUMN(k, square) \
    { \
        low += t[k]; \
        uint32_t over = is_less(low, t[k]); \
        middle += over; \
        top += is_less(middle, over); \
        uint32_t twice = low << 1 | bit; \
        uint32_t sum   = twice + (square); \
        uint32_t next  = is_less(sum, twice); \
        bit            = low >> 31; \
        sum += carry; \
        carry  = next + is_less(sum, carry); \
        t[k]   = sum; \
        low    = middle; \
        middle = top; \
        top    = 0; \
    }

/* Columns 2 k and 2 k + 1, which contain the square of a[k]. */
#define EVEN(k) COLUMN(2 * (k), (uint32_t)(square = (uint64_t)a[k] * a[k]))
#define ODD(k)  COLUMN(2 * (k) + 1, (uint32_t)(square >> 32))

/* The carries from one block to the next. */
typedef struct {
    uint32_t bit, carry, low;
} OVER;

/* Doubles two blocks of t, and adds the square of a block. */
static void finish(uint32_t *t, const uint32_t *block, OVER *state)
{
    uint32_t a[BLOCK];
    uint32_t low = state->low, middle = 0, top = 0, bit = state->bit, carry = state->carry;
    uint64_t square;
#define LOAD(k) a[k] = block[k];
    EACH_WORD(LOAD)
#undef LOAD
    EVEN(0)
    TERM(0, 1) ODD(0)
    TERM(0, 2) EVEN(1)
    TERM(0, 3) TERM(1, 2) ODD(1)
    TERM(0, 4) TERM(1, 3) EVEN(2)
    TERM(0, 5) TERM(1, 4) TERM(2, 3) ODD(2)
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
    (void)top;
    *state = (OVER){bit, carry, low};
}

void number_square(uint32_t *t, const uint32_t *a, unsigned words)
{
    OVER state = {0, 0, 0};
    for (unsigned i = 0; i < words; i++) {
        t[i] = 0;
    }
    for (unsigned i = 2 * words - BLOCK; i < 2 * words; i++) {
        t[i] = 0;
    }
    for (unsigned i = 0; i + BLOCK < words; i += BLOCK) {
        number_row(t + 2 * i + BLOCK, a + i, a + i + BLOCK, words - i - BLOCK);
    }
    for (unsigned i = 0; i < words; i += BLOCK) {
        finish(t + 2 * i, a + i, &state);
    }
}
