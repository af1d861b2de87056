/* Keccak-f[1600] in place on bit-interleaved lanes, for cores with eight registers and an addressing range of 32 words:
 * ARM in Thumb (Cortex-M0 and M0+). Only the five words of a row and one temporary are live, beside the addresses of
 * the two parts of the state. */

#include "bytes.h"
#include "interleaved_constants.h"
#include "permute.h"
#include "places.h"
#include "wiping.h"

#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

enum { NEAR = 32 };

/* The state of the rounds; `effect` is the theta term of each column. */
typedef struct {
    uint32_t *near, *far;
    uint32_t *effect;
} State;

INLINE uint32_t *word_at(const State *state, unsigned place)
{
    return place < NEAR ? &state->near[place] : &state->far[place - NEAR];
}

/* Rotates a word. Thumb rotates by a register. Compilers keep equal amounts on the stack, although loading them again
 * is cheaper: `variety` makes them different by multiples of 32, which a rotation ignores. */
INLINE uint32_t turned(uint32_t word, unsigned places, unsigned variety)
{
    if (places == 0) {
        return word;
    }
    unsigned amount = 32 - places;
#if defined(__thumb__) && !defined(__thumb2__)
    amount += 32 * (variety % 8);
    HOLD(amount);
#else
    (void)variety;
#endif
    return rotr32(word, amount);
}

/* The parity of a column. */
INLINE uint32_t parity(const State *state, unsigned round, unsigned x, unsigned odd)
{
    uint32_t sum = *word_at(state, place(round, spot(x, 0, odd)));
    sum ^= *word_at(state, place(round, spot(x, 1, odd)));
    HOLD(sum);
    sum ^= *word_at(state, place(round, spot(x, 2, odd)));
    HOLD(sum);
    sum ^= *word_at(state, place(round, spot(x, 3, odd)));
    HOLD(sum);
    sum ^= *word_at(state, place(round, spot(x, 4, odd)));
    HOLD(sum);
    return sum;
}

#define PARITY(x) uint32_t even##x = parity(state, round, x, 0), odd##x = parity(state, round, x, 1)

#define LINK(x, before, after)                                                                          \
    state->effect[x]     = even##before ^ rotl32(odd##after, 1);                                        \
    state->effect[5 + x] = odd##before ^ even##after;                                                   \
    FORGET()

/* Computes the theta terms, in an order in which few sums wait for others. */
INLINE void link_columns(State *state, unsigned round)
{
    PARITY(0);
    PARITY(2);
    LINK(1, 0, 2);
    PARITY(3);
    LINK(4, 3, 0);
    PARITY(1);
    LINK(2, 1, 3);
    PARITY(4);
    LINK(0, 4, 1);
    LINK(3, 2, 4);
}

/* Theta, rho and pi: the operand of chi at a position. */
INLINE uint32_t operand(const State *state, unsigned round, Spot to)
{
    Spot     from = source(to);
    uint32_t word = *word_at(state, place(round, from)) ^ state->effect[5 * from.odd + from.x];
    word          = turned(word, turn(to), 2 * round + to.y + to.odd);
    HOLD(word);
    FORGET();
    return word;
}

/* Chi and iota. */
INLINE void put(State *state, unsigned round, Spot to, uint32_t b0, uint32_t b1, uint32_t b2, uint32_t iota)
{
    *word_at(state, place(round + 1, to)) = b0 ^ (b2 & ~b1) ^ iota;
}

/* Computes a row of even or of odd bits. */
INLINE void make_row(State *state, unsigned round, unsigned y, unsigned odd, uint32_t iota)
{
    uint32_t b0 = operand(state, round, spot(0, y, odd)), b1 = operand(state, round, spot(1, y, odd));
    uint32_t b2 = operand(state, round, spot(2, y, odd)), b3 = operand(state, round, spot(3, y, odd));
    uint32_t b4 = operand(state, round, spot(4, y, odd));
    put(state, round, spot(0, y, odd), b0, b1, b2, iota);
    put(state, round, spot(1, y, odd), b1, b2, b3, 0);
    put(state, round, spot(2, y, odd), b2, b3, b4, 0);
    put(state, round, spot(3, y, odd), b3, b4, b0, 0);
    put(state, round, spot(4, y, odd), b4, b0, b1, 0);
    FORGET();
}

INLINE void make_rows(State *state, unsigned round, unsigned odd, uint32_t iota)
{
    make_row(state, round, 0, odd, iota);
    make_row(state, round, 1, odd, 0);
    make_row(state, round, 2, odd, 0);
    make_row(state, round, 3, odd, 0);
    make_row(state, round, 4, odd, 0);
}

INLINE void make_round(State *state, unsigned round, const uint64_t *iota)
{
    link_columns(state, round);
    make_rows(state, round, 0, (uint32_t)*iota);
    make_rows(state, round, 1, (uint32_t)(*iota >> 32));
}

/* Not inlined and without a loop: compilers would hoist addresses out of a loop, and spill them. */
APART static uintptr_t make_rounds(uint32_t words[2 * KECCAK_LANES], const uint64_t iota[PERIOD])
{
    uint32_t effect[10];
    State    state = {words, words + NEAR, effect};
    HOLD(state.far);
    SHOW(effect);
    make_round(&state, 0, iota);
    make_round(&state, 1, iota + 1);
    make_round(&state, 2, iota + 2);
    make_round(&state, 3, iota + 3);
    return stack_depth();
}

uintptr_t KECCAK_NAME(permute)(uint32_t words[2 * KECCAK_LANES])
{
    uintptr_t depth = stack_depth();
    for (unsigned round = 0; round < KECCAK_ROUNDS; round += PERIOD) {
        depth = make_rounds(words, constant + round);
    }
    return no_tail_call(depth);
}
