/* The Ascon permutation on its state in memory, without any stack (NIST SP 800-232, section 3).
 *
 * The state is volatile; otherwise compilers would load all of it into registers, and save call-saved registers
 * first. */

#include "ascon.h"
#include "wiping.h"

/* The S-box of section 3.3 on the 32 columns of the lower halves, or of the upper ones. */
static inline void substitute(volatile uint32_t *w)
{
    uint32_t x0 = w[0], x1 = w[2], x2 = w[4], x3 = w[6], x4 = w[8];
    uint32_t near = x1 ^ x2, far = x0 ^ x4, other = x3 ^ x4;
    uint32_t both = (x1 | far) ^ other;
    w[0]          = both ^ (x2 & near);
    w[2]          = (near | (x2 ^ x3)) ^ far;
    w[4]          = ~near ^ (x4 & other);
    w[6]          = (x0 | other) ^ near;
    w[8]          = both ^ far;
}

/* The lower half of a word rotated right, from its halves. */
static inline uint32_t rotated(uint32_t low, uint32_t high, unsigned places)
{
    return places < 32 ? low >> places | high << (32 - places) : high >> (places - 32) | low << (64 - places);
}

/* Adds to a word its right rotations by two amounts (section 3.4). */
static inline void diffuse(volatile uint32_t *w, unsigned first, unsigned second)
{
    uint32_t low = w[0], high = w[1];
    w[0] = low ^ rotated(low, high, first) ^ rotated(low, high, second);
    w[1] = high ^ rotated(high, low, first) ^ rotated(high, low, second);
}

uintptr_t ascon_permute(ASCON_STATE *state, unsigned rounds)
{
    volatile uint32_t *w = state->w;
    uint32_t constant = 0x3c + 15 * rounds;
    do {
        w[4] ^= constant;
        for (unsigned half = 0; half < 2; half++) {
            substitute(w + half);
        }
        diffuse(w, 19, 28);
        diffuse(w + 2, 61, 39);
        diffuse(w + 4, 1, 6);
        diffuse(w + 6, 10, 17);
        diffuse(w + 8, 7, 41);
        constant -= 15;
    } while (constant != 0x3c);
    return stack_depth();
}
