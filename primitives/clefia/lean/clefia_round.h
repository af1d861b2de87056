/* A round of the generalized Feistel network (RFC 6114, section 4.1). */

#ifndef CLEFIA_ROUND_H
#define CLEFIA_ROUND_H

#include "bytes.h"
#include "clefia.h"

/* The function F0 or, where `second` is 1, F1, of a word to which a constant is still to be added, which
 * comes from `number` (section 6.3). It has a file of its own so that it stays a function, which leaves
 * registers enough for those that call it. */
uint32_t clefia_f(uint32_t word, unsigned second, uint32_t number);

/* How deep that function goes: it returns a word, and so cannot tell. */
uintptr_t clefia_room(void);

/* A round with the constants alone. The words do not move; what moves, by one with every round, is the place
 * where a round begins. */
static inline void clefia_round(uint32_t state[4], unsigned place, uint32_t number)
{
    state[(place + 1) & 3] ^= clefia_f(state[place], 0, number);
    state[(place + 3) & 3] ^= clefia_f(state[(place + 2) & 3], 1, number);
}

/* Turns the words by two places, as two rounds do. */
static inline void clefia_turn(uint32_t state[4])
{
    uint32_t first = state[0], second = state[1];
    state[0] = state[2];
    state[1] = state[3];
    state[2] = first;
    state[3] = second;
}

#endif
