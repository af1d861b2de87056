/* The permutation Q (section 3.4 of the paper). */

#include "columns.h"
#include "wiping.h"

/* Forces the constant to be updated step by step: otherwise compilers keep those of all columns, and spill
 * registers. */
#if defined(__GNUC__) && !defined(__AVR__)
#define KEEP(word) __asm__ volatile("" : "+r"(word))
#else
#define KEEP(word) (void)0
#endif

/* Stores a column, with the constant of the next round added. */
#define FINISH(column, low, high)                                                                       \
    do {                                                                                                \
        to[2 * (column)]     = ~(low);                                                                  \
        to[2 * (column) + 1] = (high) ^ constant;                                                       \
        constant -= (uint32_t)1 << 28;                                                                         \
        KEEP(constant);                                                                                 \
    } while (0)

static void add_constants(uint32_t state[GROESTL_WORDS], uint32_t round)
{
    for (uint32_t column = 0; column < GROESTL_COLUMNS; column++) {
        state[2 * column] = ~state[2 * column];
        state[2 * column + 1] ^= ~((column << 4 ^ round) << 24);
    }
}

uintptr_t GROESTL_NAME(permute_q)(uint32_t state[GROESTL_WORDS])
{
    uint32_t  other[GROESTL_WORDS];
    uint32_t *from = state, *to = other;
    add_constants(state, 0);
    for (uint32_t round = 1; round <= GROESTL_ROUNDS; round++) {
        uint32_t constant = ~(round << 24);
#if GROESTL_BYTES == 32
        ALL_COLUMNS(1, 3, 5, 7, 0, 2, 4, 6);
#else
        ALL_COLUMNS(1, 3, 5, 11, 0, 2, 4, 6);
#endif
        uint32_t *was = from;
        from          = to;
        to            = was;
    }
    /* There is no next round: adds the constant once more, which removes it. */
    add_constants(state, GROESTL_ROUNDS);
    return stack_depth();
}
