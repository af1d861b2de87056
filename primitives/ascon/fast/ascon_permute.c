/* The Ascon permutation with its state in registers (NIST SP 800-232, section 3). */

#include "ascon.h"
#include "wiping.h"

/* The S-box of section 3.3 on the 32 columns of lower or upper halves: sixteen operations. */
static inline void substitute(uint32_t *w)
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
static inline void diffuse(uint32_t *w, unsigned first, unsigned second)
{
    uint32_t low = w[0], high = w[1];
    w[0] = low ^ rotated(low, high, first) ^ rotated(low, high, second);
    w[1] = high ^ rotated(high, low, first) ^ rotated(high, low, second);
}

static inline void ascon_round(uint32_t *w, uint32_t constant)
{
    w[4] ^= constant;
    substitute(w);
    substitute(w + 1);
    diffuse(w, 19, 28);
    diffuse(w + 2, 61, 39);
    diffuse(w + 4, 1, 6);
    diffuse(w + 6, 10, 17);
    diffuse(w + 8, 7, 41);
}

uintptr_t ascon_permute(ASCON_STATE *state, unsigned rounds)
{
    uint32_t w[ASCON_WORDS];
    for (unsigned i = 0; i < ASCON_WORDS; i++) {
        w[i] = state->w[i];
    }
    for (uint32_t constant = 0x3c + 15 * rounds; constant != 0x3c; constant -= 4 * 15) {
        ascon_round(w, constant);
        ascon_round(w, constant - 15);
        ascon_round(w, constant - 30);
        ascon_round(w, constant - 45);
    }
    for (unsigned i = 0; i < ASCON_WORDS; i++) {
        state->w[i] = w[i];
    }
    return stack_depth();
}
