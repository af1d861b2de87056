/* The positions of the words of bit-interleaved lanes while rounds of Keccak-f[1600] work in place, one row of even or
 * odd bits at a time. Results replace the operands of the row, each in its own column, and after four rounds all words
 * are at their initial positions ("Keccak implementation overview", section 2.5). Everything here is computed at
 * compile time. */

#ifndef PLACES_H
#define PLACES_H

#include <stdint.h>

/* Without optimization, inlining these functions takes compilers half a minute. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* FORGET is a barrier after which words are loaded again, HOLD forces a word into a register, and SHOW hides the
 * contents of an array: the registers do not hold all values that a compiler would like to keep. */
#if defined(__GNUC__) && !defined(__AVR__)
#define FORGET() __asm__ volatile("" ::: "memory")
#define HOLD(word) __asm__ volatile("" : "+r"(word)::"memory")
#define SHOW(memory) __asm__ volatile("" ::"r"(memory) : "memory")
#else
#define FORGET() (void)0
#define HOLD(word) (void)0
#define SHOW(memory) (void)0
#endif

/* Number of rounds after which every word is at its initial position. */
enum { PERIOD = 4 };

/* A word of a lane: its column, its row, and 1 for the odd bits. */
typedef struct {
    unsigned x, y, odd;
} Spot;

INLINE Spot spot(unsigned x, unsigned y, unsigned odd)
{
    Spot made = {x, y, odd};
    return made;
}

/* Rotation offsets of rho, by column and row. */
static const uint8_t rho[5][5] = {
    {0, 36, 3, 41, 18}, {1, 44, 10, 45, 2}, {62, 6, 43, 15, 61}, {28, 55, 25, 21, 56}, {27, 20, 39, 8, 14},
};

/* The word that rho and pi move to a position. A rotation by an odd offset swaps even and odd bits. */
INLINE Spot source(Spot to)
{
    Spot from = {(to.x + 3 * to.y) % 5, to.x, to.odd};
    from.odd ^= rho[from.x][from.y] & 1;
    return from;
}

/* The rotation of that word. */
INLINE unsigned turn(Spot to)
{
    Spot from = source(to);
    return (rho[from.x][from.y] + 1u - to.odd) / 2;
}

/* The word of the previous round that a result replaces: the operand of the same column. */
INLINE Spot beneath(Spot result)
{
    Spot below = {result.x, (result.x + 2 * result.y) % 5, result.odd};
    below.odd ^= rho[below.x][below.y] & 1;
    return below;
}

/* The index in the state of a word after a number of rounds. */
INLINE unsigned place(unsigned rounds, Spot word)
{
    word = rounds > 0 ? beneath(word) : word;
    word = rounds > 1 ? beneath(word) : word;
    word = rounds > 2 ? beneath(word) : word;
    word = rounds > 3 ? beneath(word) : word;
    return 2 * (word.x + 5 * word.y) + word.odd;
}

#endif
