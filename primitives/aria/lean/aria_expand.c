/* The words W0 to W3, from three rounds over the key (RFC 5794, section 2.2). */

#include "aria_round.h"
#include "aria_schedule.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES])
{
    uint32_t(*words)[4] = keys->words;
    /* KR is stored in the row of W3, so that the addend of each word is two rows before it. */
    for (unsigned i = 0; i < 4; i++) {
        words[0][i] = load32_be(key + 4 * i);
        words[3][i] = 16 + 4 * i < ARIA_KEY_BYTES ? load32_be(key + (16 + 4 * i) % ARIA_KEY_BYTES) : 0;
    }
    for (unsigned n = 0; n < 3; n++) {
        uint32_t state[4];
        for (unsigned i = 0; i < 4; i++) {
            state[i] = words[n][i] ^ aria_constant(n)[i];
        }
        aria_substitute(state, n);
        aria_diffuse_all(state);
        for (unsigned i = 0; i < 4; i++) {
            words[n + 1][i] = state[i] ^ words[(n + 3) & 3][i];
        }
    }
    return stack_depth();
}

void ARIA(expand)(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
