/* Keccak-f[1600] in place on bit-interleaved lanes, for cores that rotate an operand of an operation at no cost: ARM in
 * A32 and Thumb-2. Rotations are deferred: a word is stored as chi computes it, with a pending rotation that the
 * operations that read it perform; chi needs only the relative rotation of its operands. In every fourth round the
 * results are rotated completely. The parities of the columns are accumulated while a round stores its words. */

#include "bytes.h"
#include "interleaved_constants.h"
#include "permute.h"
#include "places.h"
#include "wiping.h"

/* The state of the rounds. Column x of `parity` has the same pending rotation as the word in the first row, column x of
 * `effect`, the theta term, the same as column x - 1 of `parity`. */
typedef struct {
    uint32_t *words;
    uint32_t  parity[2][5], effect[2][5];
} State;

/* A word with a pending rotation to the left. */
typedef struct {
    uint32_t word;
    unsigned owed;
} Owing;

/* The pending rotation of a stored word after a number of rounds. */
INLINE unsigned debt(unsigned rounds, Spot word)
{
    unsigned first = rounds > 0 ? turn(word) : 0;
    unsigned next  = rounds > 1 ? turn(source(word)) : 0;
    return first + next + (rounds > 2 ? turn(source(source(word))) : 0);
}

INLINE unsigned parity_debt(unsigned rounds, unsigned x, unsigned odd)
{
    return debt(rounds, spot(x, 0, odd));
}

INLINE void sum_column(State *state, unsigned x)
{
    const uint32_t *even = state->words + 2 * x, *odd = even + 1;
    state->parity[0][x] = even[0] ^ even[10] ^ even[20] ^ even[30] ^ even[40];
    state->parity[1][x] = odd[0] ^ odd[10] ^ odd[20] ^ odd[30] ^ odd[40];
}

/* Column x of the theta term, from the parities of the neighbouring columns. */
INLINE void link_columns(State *state, unsigned round, unsigned x)
{
    unsigned        before = (x + 4) % 5, after = (x + 1) % 5;
    const uint32_t *even = state->parity[0], *odd = state->parity[1];
    unsigned        even_debt = parity_debt(round, after, 0), odd_debt = parity_debt(round, after, 1);
    state->effect[0][x] = even[before] ^ rotl32(odd[after], odd_debt + 1 - parity_debt(round, before, 0));
    state->effect[1][x] = odd[before] ^ rotl32(even[after], even_debt - parity_debt(round, before, 1));
}

/* Theta, rho and pi: the operand of chi at a position. */
INLINE Owing operand(const State *state, unsigned round, Spot to)
{
    Spot     from   = source(to);
    unsigned owed   = debt(round, from);
    unsigned behind = owed - parity_debt(round, (from.x + 4) % 5, from.odd);
    uint32_t effect = rotr32(state->effect[from.odd][from.x], behind);
    Owing    taken  = {state->words[place(round, from)] ^ effect, owed + turn(to)};
    return taken;
}

/* The same for the last of four rounds, which leaves no pending rotations. Three of five operands are rotated, so that
 * chi never combines two pending ones. */
INLINE Owing settled_operand(const State *state, unsigned round, Spot to)
{
    Owing taken = operand(state, round, to);
    if (round == PERIOD - 1) {
        taken.word = rotl32(taken.word, taken.owed);
        taken.owed = 0;
    }
    return taken;
}

/* Chi, the column parities for the next round, and iota, whose lane never has a pending rotation. */
INLINE void put(State *state, unsigned round, Spot to, Owing b0, Owing b1, Owing b2, uint32_t iota)
{
    unsigned owed    = round == PERIOD - 1 ? 0 : b0.owed;
    uint32_t product = b2.word & ~rotl32(b1.word, b1.owed - b2.owed);
    uint32_t result  = rotl32(b0.word, b0.owed - owed) ^ rotl32(product, b2.owed - owed) ^ iota;
    unsigned next    = (round + 1) % PERIOD;
    uint32_t share   = rotl32(result, debt(next, to) - parity_debt(next, to.x, to.odd));

    state->words[place(round + 1, to)] = result;
    state->parity[to.odd][to.x]        = to.y == 0 ? share : state->parity[to.odd][to.x] ^ share;
    HOLD(state->parity[to.odd][to.x]);
}

/* Computes a row of even or of odd bits. */
INLINE void make_row(State *state, unsigned round, unsigned y, unsigned odd, uint32_t iota)
{
    Owing b0 = operand(state, round, spot(0, y, odd)), b1 = settled_operand(state, round, spot(1, y, odd));
    Owing b2 = settled_operand(state, round, spot(2, y, odd));
    Owing b3 = settled_operand(state, round, spot(3, y, odd)), b4 = operand(state, round, spot(4, y, odd));
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

INLINE void make_round(State *state, unsigned round, uint64_t iota)
{
    link_columns(state, round, 0);
    link_columns(state, round, 1);
    link_columns(state, round, 2);
    link_columns(state, round, 3);
    link_columns(state, round, 4);
    make_rows(state, round, 0, (uint32_t)iota);
    make_rows(state, round, 1, (uint32_t)(iota >> 32));
}

uintptr_t KECCAK_NAME(permute)(uint32_t words[2 * KECCAK_LANES])
{
    State state = {.words = words};
    sum_column(&state, 0);
    sum_column(&state, 1);
    sum_column(&state, 2);
    sum_column(&state, 3);
    sum_column(&state, 4);
    for (const uint64_t *iota = constant; iota < constant + KECCAK_ROUNDS; iota += PERIOD) {
        make_round(&state, 0, iota[0]);
        make_round(&state, 1, iota[1]);
        make_round(&state, 2, iota[2]);
        make_round(&state, 3, iota[3]);
    }
    return stack_depth();
}
