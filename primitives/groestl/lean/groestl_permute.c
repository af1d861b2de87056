/* The permutations of Grøstl, in place ("Grøstl - a SHA-3 candidate", version 2.0, section 3.4). */

#include "bytes.h"
#include "permute.h"
#include "substituted.h"
#include "wiping.h"

/* Rotations of the rows in P and Q. */
static const uint8_t shift[2][8] = {
#if GROESTL_BYTES == 32
    {0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 5, 7, 0, 2, 4, 6},
#else
    {0, 1, 2, 3, 4, 5, 6, 11}, {1, 3, 5, 11, 0, 2, 4, 6},
#endif
};

static inline void add_constants(uint32_t state[GROESTL_WORDS], uint32_t which, uint32_t round)
{
    for (uint32_t column = 0; column < GROESTL_COLUMNS; column++) {
        uint32_t constant = column << 4 ^ round;
        state[2 * column] ^= which ^ (constant & ~which);
        state[2 * column + 1] ^= which ^ (constant << 24 & which);
    }
}

/* SubBytes and ShiftBytes of a row, in place: follows each cycle of the rotation. */
static inline void change_row(uint8_t *row, unsigned turn)
{
    unsigned circles = turn == 0 ? GROESTL_BLOCK : turn & -turn;
    for (unsigned start = 0; start < circles; start += 8) {
        uint8_t  first = row[start];
        unsigned at = start, next = (start + turn) % GROESTL_BLOCK;
        while (next != start) {
            row[at] = substituted[row[next]];
            at      = next;
            next    = (next + turn) % GROESTL_BLOCK;
        }
        row[at] = substituted[first];
    }
}

static inline uint64_t doubled(uint64_t bytes)
{
    uint64_t over = bytes & 0x8080808080808080;
    return (bytes ^ over) << 1 ^ ((over - (over >> 7)) & 0x1b1b1b1b1b1b1b1b);
}

/* MixBytes of a column, by Horner's method on the powers of x in the circulant matrix. */
static inline uint64_t mixed(uint64_t a)
{
    uint64_t t = a ^ rotr64(a, 8);
    uint64_t x = t ^ rotr64(t, 24);
    uint64_t y = rotr64(t ^ rotr64(t, 16) ^ rotr64(a, 48), 32);
    return rotr64(doubled(doubled(x) ^ y), 24) ^ y;
}

static inline void mix_columns(uint32_t *state)
{
    for (uint32_t *end = state + GROESTL_WORDS; state < end; state += 2) {
        uint64_t column = mixed(state[0] | (uint64_t)state[1] << 32);
        state[0]        = (uint32_t)column;
        state[1]        = (uint32_t)(column >> 32);
    }
}

uintptr_t GROESTL_NAME(permute)(uint32_t state[GROESTL_WORDS], uint32_t which)
{
    for (uint32_t round = 0; round < GROESTL_ROUNDS; round++) {
        add_constants(state, which, round);
        for (unsigned row = 0; row < 8; row++) {
            change_row((uint8_t *)state + place(row), 8u * shift[which & 1][row]);
        }
        mix_columns(state);
    }
    return stack_depth();
}
