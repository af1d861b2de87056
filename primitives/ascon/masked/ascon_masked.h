/* The state of Ascon in two shares, and its permutations (NIST SP 800-232, sections 2 and 3).
 *
 * The second share has each word of 64 bits rotated right by ASCON_TURN. Where a word takes another's place, in a
 * register or on a bus, bits of the same position are compared, so that the shares of a bit do not meet. */

#ifndef ASCON_MASKED_H
#define ASCON_MASKED_H

#include "ascon.h"
#include "shares.h"

enum { ASCON_TURN = 5, ASCON_GUARDS = 12, ASCON_RANDOM_BYTES = 4 * ASCON_WORDS + 8 * ASCON_GUARDS };

/* Masks of the state, and eight bytes for each round. The caller fills them with fresh random bytes before each call;
 * with zeros results are the same, and nothing is masked. */
extern uint8_t ascon_random[ASCON_RANDOM_BYTES];

typedef struct {
    ASCON_STATE first, second;
} ASCON_SHARES;

/* The lower half of a word rotated left by ASCON_TURN, from its halves, and the upper one with these exchanged. It is
 * made in a register that is cleared before: what was there may be the other share of the same bits. */
static inline uint32_t ascon_turned_back(uint32_t half, uint32_t other)
{
    uint32_t word = kept(0);
    word          = kept(word ^ half << ASCON_TURN);
    return kept(word ^ other >> (32 - ASCON_TURN));
}

/* The same rotated right. */
static inline uint32_t ascon_turned(uint32_t half, uint32_t other)
{
    uint32_t word = kept(0);
    word          = kept(word ^ half >> ASCON_TURN);
    return kept(word ^ other << (32 - ASCON_TURN));
}

/* Puts the state of random bytes in both shares, that of zeros. */
void ascon_mask(ASCON_SHARES *state);

/* Half word i of the state without its mask. */
uint32_t ascon_opened(const ASCON_SHARES *state, unsigned i);

/* The last `rounds` of twelve rounds. Returns its stack depth. */
uintptr_t ascon_permute_masked(ASCON_SHARES *state, unsigned rounds);

#endif
