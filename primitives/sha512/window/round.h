/* A round of SHA-512 on a window that moves through memory (FIPS 180-4, section 6.4.2): the working variables, oldest
 * first, then the remaining words of the message schedule. The new a replaces the round's word, and the new e replaces
 * d; the other variables are renamed as the window moves by one word. */

#ifndef ROUND_H
#define ROUND_H

#include "settle.h"
#include "words.h"

#define INLINE __attribute__((always_inline)) static inline

enum { H, G, F, E, D, C, B, A, WORD };

typedef struct {
    uint64_t       *window;   /* h of the first of several rounds */
    const uint64_t *constant; /* constant of the first round */
    uint64_t        a, e;     /* copies of the window's a and e, for cores with enough registers */
    uint64_t        same;     /* b ^ c, which was a ^ b in the previous round */
} Rounds;

#if defined(__thumb__) && !defined(__thumb2__)

/* Eight registers, two of them for addresses, hold three words. A word is therefore loaded where it is used, and the
 * compiler is kept from loading it earlier, which would spill it again. */

static inline uint32_t choice(uint32_t e, uint32_t f, uint32_t g)
{
    return g ^ (e & (f ^ g));
}

static inline uint32_t majority(uint32_t a, uint32_t b, uint32_t c)
{
    return b ^ ((a ^ b) & (b ^ c));
}

/* Computes the new e; returns the sum that was added for it. */
INLINE uint64_t make_e(Rounds *on, unsigned i)
{
    uint64_t e = on->window[i + E], rotations = sum1(e);
    uint32_t low = low_half(e), high = high_half(e);
    SETTLE(rotations, on->window);
    low = choice(low, low_half(on->window[i + F]), low_half(on->window[i + G]));
    KEEP(low, high, on->window);
    high = choice(high, high_half(on->window[i + F]), high_half(on->window[i + G]));
    KEEP(low, high, on->window);
    uint64_t sum = joined(high, low) + on->window[i + H];
    SETTLE(sum, on->window);
    sum += on->window[i + WORD];
    SETTLE(sum, on->window);
    sum += on->constant[i];
    sum = add_rotated(sum, rotations, SUM1_LAST);
    on->window[i + D] += sum;
    return sum;
}

/* Computes the new a from the same sum. */
INLINE void make_a(Rounds *on, unsigned i, uint64_t sum)
{
    const uint64_t *w   = on->window + i;
    uint32_t        low = majority(low_half(w[A]), low_half(w[B]), low_half(w[C]));
    HIDE(low);
    uint32_t high = majority(high_half(w[A]), high_half(w[B]), high_half(w[C]));
    HIDE(high);
    sum += joined(high, low);
    SETTLE(sum, on->window);
    uint64_t rotations = sum0(on->window[i + A]);
    SETTLE(rotations, on->window);
    sum                  = add_rotated(sum, rotations, SUM0_LAST);
    on->window[i + WORD] = sum;
    SETTLE(sum, on->window);
}

#else

/* Sixteen registers keep a and e between rounds, and the operand of the majority. */

/* Computes the new e; returns the sum that was added for it. */
INLINE uint64_t make_e(Rounds *on, unsigned i)
{
    const uint64_t *w   = on->window + i;
    uint64_t        sum = hidden(w[H] + (w[G] ^ (on->e & (w[F] ^ w[G]))));

    sum               = hidden(sum + w[WORD]);
    sum               = hidden(sum + on->constant[i]);
    sum               = add_rotated(sum, sum1(on->e), SUM1_LAST);
    on->e             = w[D] + sum;
    on->window[i + D] = on->e;
    return sum;
}

/* Computes the new a from the same sum. */
INLINE void make_a(Rounds *on, unsigned i, uint64_t sum)
{
    uint64_t b = on->window[i + B], changed = on->a ^ b, rotations = sum0(on->a);

    sum                  = hidden(sum + (b ^ (changed & on->same)));
    on->same             = changed;
    on->a                = add_rotated(sum, rotations, SUM0_LAST);
    on->window[i + WORD] = on->a;
    SETTLE(on->a, on->window);
    SETTLE(on->a, on->constant);
}

#endif

#endif
