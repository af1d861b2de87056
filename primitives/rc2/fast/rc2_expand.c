/* Key expansion (RFC 2268, section 2). Each of its two passes needs the previous or next sixteen bytes, which are in
 * registers; of the first pass only the last sixteen bytes are kept. */

#include "rc2.h"
#include "wiping.h"

#define UP(i)   x[i] = rc2_pi[(x[(i + 15) % 16] + x[i]) & 255];
#define DOWN(i) x[i] = rc2_pi[x[(i + 1) % 16] ^ x[i]];

/* Packs the sixteen bytes into words of the key. */
#define WORD(i) k[i] = (uint16_t)(x[2 * i] | x[2 * i + 1] << 8);
#define WORDS   WORD(0) WORD(1) WORD(2) WORD(3) WORD(4) WORD(5) WORD(6) WORD(7)

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(RC2_KEYS *keys, const uint8_t key[RC2_KEY_BYTES])
{
    uint32_t  x[16];
    uint16_t *k = keys->k + 56;
    for (unsigned i = 0; i < 16; i++) {
        x[i] = key[i];
    }
    for (unsigned i = 0; i < 7; i++) {
        UP(0) UP(1) UP(2) UP(3) UP(4) UP(5) UP(6) UP(7)
        UP(8) UP(9) UP(10) UP(11) UP(12) UP(13) UP(14) UP(15)
    }
    x[0] = rc2_pi[x[0]];
    WORDS
    while (k > keys->k) {
        k -= 8;
        DOWN(15) DOWN(14) DOWN(13) DOWN(12) DOWN(11) DOWN(10) DOWN(9) DOWN(8)
        DOWN(7) DOWN(6) DOWN(5) DOWN(4) DOWN(3) DOWN(2) DOWN(1) DOWN(0)
        WORDS
    }
    return stack_depth();
}

void rc2_expand(RC2_KEYS *keys, const uint8_t key[RC2_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
