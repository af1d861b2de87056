/* The permutation P (section 3.4 of the paper). */

#include "columns.h"
#include "wiping.h"

/* Stores a column, with the constant of the next round added. */
#define FINISH(column, low, high)                                                                       \
    do {                                                                                                \
        to[2 * (column)]     = (low) ^ ((column) << 4) ^ round;                                         \
        to[2 * (column) + 1] = (high);                                                                  \
    } while (0)

static void add_constants(uint32_t state[GROESTL_WORDS], uint32_t round)
{
    for (uint32_t column = 0; column < GROESTL_COLUMNS; column++) {
        state[2 * column] ^= column << 4 ^ round;
    }
}

uintptr_t GROESTL_NAME(permute_p)(uint32_t state[GROESTL_WORDS])
{
    uint32_t  other[GROESTL_WORDS];
    uint32_t *from = state, *to = other;
    add_constants(state, 0);
    for (uint32_t round = 1; round <= GROESTL_ROUNDS; round++) {
#if GROESTL_BYTES == 32
        ALL_COLUMNS(0, 1, 2, 3, 4, 5, 6, 7);
#else
        ALL_COLUMNS(0, 1, 2, 3, 4, 5, 6, 11);
#endif
        uint32_t *was = from;
        from          = to;
        to            = was;
    }
    /* There is no next round: adds the constant once more, which removes it. */
    add_constants(state, GROESTL_ROUNDS);
    return stack_depth();
}
