/* A round of the generalized Feistel network (RFC 6114, section 4.1). */

#ifndef CLEFIA_ROUND_H
#define CLEFIA_ROUND_H

#include "bytes.h"
#include "clefia.h"

/* F0 or, if `second` is 1, F1 of a word plus the constant of `number` (section 6.3). It is in a file of its own so that
 * it is not inlined, which leaves enough registers for its callers. */
uint32_t clefia_f(uint32_t word, unsigned second, uint32_t number);

/* The stack depth of clefia_f, which cannot return it because it returns a word. */
uintptr_t clefia_room(void);

/* A round with the constants alone. Instead of rotating the words, each round begins one word further, at `place`. */
static inline void clefia_round(uint32_t state[4], unsigned place, uint32_t number)
{
    state[(place + 1) & 3] ^= clefia_f(state[place], 0, number);
    state[(place + 3) & 3] ^= clefia_f(state[(place + 2) & 3], 1, number);
}

/* Rotates the state by two words, as two rounds do. */
static inline void clefia_turn(uint32_t state[4])
{
    uint32_t first = state[0], second = state[1];
    state[0] = state[2];
    state[1] = state[3];
    state[2] = first;
    state[3] = second;
}

#endif
