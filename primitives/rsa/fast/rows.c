/* Products, a block of one factor at a time: the block and the column sums above it stay in registers during a pass
 * over the other factor. */

#include "fast.h"

/* Multiplies a block a by a word of b: the sum of column 0 goes to `sum`, the sums of the columns above move down by
 * one. */
#define FIRST(add) sum = (uint64_t)a[0] * word + above[0] + (add);
#define NEXT(k) \
    if (k > 0) { \
        sum                            = (uint64_t)a[k] * word + above[k] + (uint32_t)(sum >> 32); \
        above[(k + BLOCK - 1) % BLOCK] = (uint32_t)sum; \
    }

/* t += a b from column `from` on, starting with the given column sums; leaves the sums above in `above`. */
static inline void pass(uint32_t *t, const uint32_t a[BLOCK], const uint32_t *b, unsigned words,
                        uint32_t above[BLOCK])
{
    ROLLED
    for (unsigned j = 0; j < words; j++) {
        uint32_t word = b[j];
        uint64_t sum;
        FIRST(t[j])
        t[j] = (uint32_t)sum;
        EACH_WORD(NEXT)
        above[BLOCK - 1] = (uint32_t)(sum >> 32);
    }
}

void number_row(uint32_t *t, const uint32_t a[BLOCK], const uint32_t *b, unsigned words)
{
    uint32_t own[BLOCK], above[BLOCK];
#define START(k) \
    own[k]   = a[k]; \
    above[k] = 0;
    EACH_WORD(START)
#undef START
    pass(t, own, b, words, above);
#define STORE(k) t[words + k] = above[k];
    EACH_WORD(STORE)
#undef STORE
}

/* Computes q of number_clear() word by word, for the lowest block of m; leaves the column sums in `above`. */
static inline void quotient(uint32_t q[BLOCK], uint32_t above[BLOCK], const uint32_t *m, uint32_t inverse)
{
    uint32_t a[BLOCK];
#define LOAD(k) a[k] = m[k];
    EACH_WORD(LOAD)
#undef LOAD
    ROLLED
    for (unsigned i = 0; i < BLOCK; i++) {
        uint32_t word = above[0] * inverse;
        uint64_t sum;
        q[i] = word;
        FIRST(0)
        EACH_WORD(NEXT)
        above[BLOCK - 1] = (uint32_t)(sum >> 32);
    }
}

uint32_t number_clear(uint32_t *t, const uint32_t *m, unsigned words, uint32_t inverse, uint32_t carry)
{
    uint32_t q[BLOCK], own[BLOCK], above[BLOCK];
#define START(k) above[k] = t[k];
    EACH_WORD(START)
#undef START
    quotient(q, above, m, inverse);
#define LOAD(k) own[k] = q[k];
    EACH_WORD(LOAD)
#undef LOAD
    pass(t + BLOCK, own, m + BLOCK, words - BLOCK, above);
    uint64_t sum = (uint64_t)carry << 32;
#define ADD(k) \
    sum          = (uint64_t)t[words + k] + above[k] + (uint32_t)(sum >> 32); \
    t[words + k] = (uint32_t)sum;
    EACH_WORD(ADD)
#undef ADD
    return (uint32_t)(sum >> 32);
}

void number_multiply(uint32_t *t, const uint32_t *a, const uint32_t *b, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        t[i] = 0;
    }
    for (unsigned i = 0; i < words; i += BLOCK) {
        number_row(t + i, a + i, b, words);
    }
}
