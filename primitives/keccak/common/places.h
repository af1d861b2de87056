/* Where the words of interleaved lanes are while rounds of Keccak-f[1600] work in place, a row of even or of odd
 * bits at a time. Results go where the row's operands were, each into its own column, and after four rounds all
 * words are back where they were ("Keccak implementation overview", section 2.5). Everything here is computed
 * while compiling. */

#ifndef PLACES_H
#define PLACES_H

#include <stdint.h>

/* Without optimization, inlining all that is computed here takes compilers half a minute. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* FORGET has words loaded again behind this point, HOLD has one computed and in a register there, and SHOW lets
 * nobody know what is in an array: there are no registers for all that a compiler would like to keep. */
#if defined(__GNUC__) && !defined(__AVR__)
#define FORGET() __asm__ volatile("" ::: "memory")
#define HOLD(word) __asm__ volatile("" : "+r"(word)::"memory")
#define SHOW(memory) __asm__ volatile("" ::"r"(memory) : "memory")
#else
#define FORGET() (void)0
#define HOLD(word) (void)0
#define SHOW(memory) (void)0
#endif

/* Rounds until every word is back at its place. */
enum { PERIOD = 4 };

/* A word of a lane: its column, its row, and whether it has the odd bits. */
typedef struct {
    unsigned x, y, odd;
} Spot;

INLINE Spot spot(unsigned x, unsigned y, unsigned odd)
{
    Spot made = {x, y, odd};
    return made;
}

/* By how many places rho rotates a lane: columns, and rows within them. */
static const uint8_t rho[5][5] = {
    {0, 36, 3, 41, 18}, {1, 44, 10, 45, 2}, {62, 6, 43, 15, 61}, {28, 55, 25, 21, 56}, {27, 20, 39, 8, 14},
};

/* Which word pi and rho bring to a spot. Where a lane turns by an odd number, even and odd bits change roles. */
INLINE Spot source(Spot to)
{
    Spot from = {(to.x + 3 * to.y) % 5, to.x, to.odd};
    from.odd ^= rho[from.x][from.y] & 1;
    return from;
}

/* By how many places that word is rotated. */
INLINE unsigned turn(Spot to)
{
    Spot from = source(to);
    return (rho[from.x][from.y] + 1u - to.odd) / 2;
}

/* The word of the round before whose place a result took: the operand from the same column. */
INLINE Spot beneath(Spot result)
{
    Spot below = {result.x, (result.x + 2 * result.y) % 5, result.odd};
    below.odd ^= rho[below.x][below.y] & 1;
    return below;
}

/* Where a word is after so many rounds: its index in the state. */
INLINE unsigned place(unsigned rounds, Spot word)
{
    word = rounds > 0 ? beneath(word) : word;
    word = rounds > 1 ? beneath(word) : word;
    word = rounds > 2 ? beneath(word) : word;
    word = rounds > 3 ? beneath(word) : word;
    return 2 * (word.x + 5 * word.y) + word.odd;
}

#endif
