/* Key expansion (FIPS 197, section 5.2), with a bit-sliced SubWord. */

#include "aes_substitution.h"
#include "wiping.h"

static const uint32_t inverted[4] = AES_INVERTED;

/* SubWord in place. Returns its stack depth, as the next function does. */
static NOINLINE uintptr_t substitute(uint32_t *word)
{
    AES_BITS made = aes_substituted(aes_bits(aes_sliced((AES_BLOCK){*word, 0, 0, 0})));
    *word         = aes_sliced(aes_added(aes_slices(&made), inverted)).a;
    return stack_depth();
}

static NOINLINE uintptr_t expand(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    uint32_t *w = keys->w, constant = 1;
    uintptr_t depth = stack_depth();
    for (unsigned i = 0; i < AES_KEY_WORDS; i++) {
        w[i] = load32_le(key + 4 * i);
    }
    for (unsigned i = AES_KEY_WORDS; i < 4 * (AES_ROUNDS + 1); i++) {
        uint32_t word = w[i - 1];
        if (i % AES_KEY_WORDS == 0) {
            w[i]     = word >> 8 | word << 24;
            depth    = substitute(w + i);
            word     = w[i] ^ constant;
            constant = constant << 1 ^ (constant >> 7) * 0x11b;
        } else if (AES_KEY_WORDS == 8 && i % 8 == 4) {
            w[i]  = word;
            depth = substitute(w + i);
            word  = w[i];
        }
        w[i] = w[i - AES_KEY_WORDS] ^ word;
    }
    for (unsigned round = 0; round <= AES_ROUNDS; round++, w += 4) {
        AES_BLOCK s = aes_sliced((AES_BLOCK){w[0], w[1], w[2], w[3]});
        if (round > 0) {
            s = aes_added(s, inverted);
        }
        w[0] = s.a, w[1] = s.b, w[2] = s.c, w[3] = s.d;
    }
    return no_tail_call(depth);
}

void AES(expand)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
