/* The words W0 to W3, from three rounds over the key (RFC 5794, section 2.2). */

#include "aria_steps.h"
#include "wiping.h"

/* The constants C1 to C3; for 192-bit keys CK1 is C2, for 256-bit keys C3. */
#define C1 {0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0}
#define C2 {0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0}
#define C3 {0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e}
static const uint8_t constant[3][16] = {
#if ARIA_KEY_BYTES == 16
    C1, C2, C3,
#elif ARIA_KEY_BYTES == 24
    C2, C3, C1,
#else
    C3, C1, C2,
#endif
};

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES])
{
    uintptr_t depth = stack_depth();
    /* KR is stored in the row of W3, so that the addend of each word is two rows before it. */
    for (unsigned i = 0; i < 16; i++) {
        keys->w[0][i] = key[i];
        keys->w[3][i] = i + 16 < ARIA_KEY_BYTES ? key[i + 16] : 0;
    }
    for (unsigned n = 1; n < 4; n++) {
        uint8_t *word = keys->w[n];
        for (unsigned i = 0; i < 16; i++) {
            word[i] = keys->w[n - 1][i] ^ constant[n - 1][i];
        }
        depth = deeper(depth, ARIA(substitute)(word, n - 1));
        depth = deeper(depth, ARIA(diffuse)(word));
        for (unsigned i = 0; i < 16; i++) {
            word[i] ^= keys->w[(n + 2) & 3][i];
        }
    }
    return no_tail_call(depth);
}

void ARIA(expand)(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
