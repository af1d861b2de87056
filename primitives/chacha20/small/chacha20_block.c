/* The block function of ChaCha20 in loops (RFC 8439, section 2.3). */

#include "chacha20_block.h"
#include "wiping.h"

/* Quarter round on a column (`step` 0) or a diagonal (`step` 1), whose words move on by `step` columns with each
 * row. */
static inline void quarter_round(uint32_t *x, unsigned column, unsigned step)
{
    uint32_t *a = x + column, *b = x + 4 + (column + step) % 4, *c = x + 8 + (column + 2 * step) % 4;
    uint32_t *d = x + 12 + (column + 3 * step) % 4;
    uint32_t  wa = *a, wb = *b, wc = *c, wd = *d;
    wa += wb, wd = rotl32(wd ^ wa, 16);
    wc += wd, wb = rotl32(wb ^ wc, 12);
    wa += wb, wd = rotl32(wd ^ wa, 8);
    wc += wd, wb = rotl32(wb ^ wc, 7);
    *a = wa, *b = wb, *c = wc, *d = wd;
}

uintptr_t chacha20_block(CHACHA20 *state)
{
    uint32_t *x = state->block;
    for (unsigned i = 0; i < CHACHA20_WORDS; i++) {
        x[i] = state->input[i];
    }
    /* Column rounds and diagonal rounds in turn. */
    for (unsigned i = 0; i < 80; i++) {
        quarter_round(x, i % 4, i / 4 % 2);
    }
    for (unsigned i = 0; i < CHACHA20_WORDS; i++) {
        x[i] += state->input[i];
    }
    state->input[12]++;
    state->used = 0;
    return stack_depth();
}
