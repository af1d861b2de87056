/* The words KL and KR of the key, and KA and, for longer keys, KB, derived from them (RFC 3713, section 2.2). */

#include "camellia_feistel.h"
#include "camellia_sigma.h"
#include "wiping.h"

/* Applies two rounds. Returns its stack depth, as the next function does. */
static NOINLINE uintptr_t mix(uint32_t word[4], const uint32_t constant[2][2])
{
    for (unsigned i = 0; i < 4; i += 2) {
        camellia_feistel(word + i, word + (i ^ 2), constant[i / 2][0], constant[i / 2][1]);
    }
    return stack_depth();
}

#if CAMELLIA_KEY_BYTES > 16
/* Loads KR: the second half of a 256-bit key, or the last 64 bits of a 192-bit key and their complement. */
static void load_second(uint32_t word[4], const uint8_t key[CAMELLIA_KEY_BYTES])
{
    word[0] = load32_be(key + 16);
    word[1] = load32_be(key + 20);
    word[2] = CAMELLIA_KEY_BYTES == 24 ? ~word[0] : load32_be(key + CAMELLIA_KEY_BYTES - 8);
    word[3] = CAMELLIA_KEY_BYTES == 24 ? ~word[1] : load32_be(key + CAMELLIA_KEY_BYTES - 4);
}
#endif

static NOINLINE uintptr_t expand(CAMELLIA_KEYS *keys, const uint8_t key[CAMELLIA_KEY_BYTES])
{
    uint32_t *kl = keys->word[CAMELLIA_KL];
    uint32_t *ka = keys->word[CAMELLIA_KA];
#if CAMELLIA_KEY_BYTES > 16
    load_second(keys->word[CAMELLIA_KR], key);
#endif
    for (unsigned i = 0; i < 4; i++) {
        ka[i] = kl[i] = load32_be(key + 4 * i);
#if CAMELLIA_KEY_BYTES > 16
        ka[i] ^= keys->word[CAMELLIA_KR][i];
#endif
    }
    mix(ka, camellia_sigma);
    for (unsigned i = 0; i < 4; i++) {
        ka[i] ^= kl[i];
    }
    uintptr_t depth = mix(ka, camellia_sigma + 2);
#if CAMELLIA_KEY_BYTES > 16
    for (unsigned i = 0; i < 4; i++) {
        keys->word[CAMELLIA_KB][i] = ka[i] ^ keys->word[CAMELLIA_KR][i];
    }
    mix(keys->word[CAMELLIA_KB], camellia_sigma + 4);
#endif
    return no_tail_call(depth);
}

void CAMELLIA(expand)(CAMELLIA_KEYS *keys, const uint8_t key[CAMELLIA_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
