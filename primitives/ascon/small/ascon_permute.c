/* The Ascon permutation in loops, on halves of words, as a leaf function without a stack frame (NIST SP 800-232,
 * section 3). */

#include "ascon.h"
#include "wiping.h"

/* Amounts of the two right rotations of each word in the linear layer (section 3.4). */
static const uint8_t ascon_places[ASCON_WORDS] = {19, 28, 61, 39, 1, 6, 10, 17, 7, 41};

/* The S-box of section 3.3 on the 32 columns of the lower halves, or of the upper ones. */
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

static inline void diffuse(uint32_t *w, const uint8_t *places)
{
    uint32_t low = w[0], high = w[1];
    for (const uint8_t *end = places + 2; places < end; places++) {
        uint32_t from = low, to = high;
        if (*places & 32) {
            from = high;
            to   = low;
        }
        w[0] ^= from >> *places % 32 ^ to << (-*places & 31);
        w[1] ^= to >> *places % 32 ^ from << (-*places & 31);
    }
}

uintptr_t ascon_permute(ASCON_STATE *state, unsigned rounds)
{
    uint32_t constant = 0x3c + 15 * rounds;
    do {
        uint32_t      *w      = state->w;
        const uint8_t *places = ascon_places;
        state->w[4] ^= constant;
        for (; w < state->w + 2; w++) {
            substitute(w);
        }
        w = state->w;
        do {
            diffuse(w, places);
            w += 2;
            places += 2;
        } while (w < state->w + ASCON_WORDS);
        constant -= 15;
    } while (constant != 0x3c);
    return stack_depth();
}
