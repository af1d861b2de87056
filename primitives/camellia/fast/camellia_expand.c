/* The subkeys (RFC 3713, section 2.2). */

#include "camellia_feistel.h"
#include "camellia_sigma.h"
#include "camellia_subkeys.h"
#include "wiping.h"

/* Adds a word, and applies two rounds. Returns its stack depth, as the next function does. */
static NOINLINE uintptr_t add_and_mix(uint32_t word[4], const uint32_t added[4], const uint32_t constant[2][2])
{
    for (unsigned i = 0; i < 4; i++) {
        word[i] ^= added[i];
    }
    camellia_feistel(word, word + 2, constant[0]);
    camellia_feistel(word + 2, word, constant[1]);
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

static NOINLINE uintptr_t make_words(uint32_t words[CAMELLIA_WORDS][4], const uint8_t key[CAMELLIA_KEY_BYTES])
{
    uint32_t *ka = words[CAMELLIA_KA];
    for (unsigned i = 0; i < 4; i++) {
        words[CAMELLIA_KL][i] = load32_be(key + 4 * i);
        ka[i] = 0;
    }
#if CAMELLIA_KEY_BYTES > 16
    load_second(words[CAMELLIA_KR], key);
    for (unsigned i = 0; i < 4; i++) {
        ka[i] = words[CAMELLIA_KR][i];
        words[CAMELLIA_KB][i] = ka[i];
    }
#endif
    uintptr_t depth = add_and_mix(ka, words[CAMELLIA_KL], camellia_sigma);
    add_and_mix(ka, words[CAMELLIA_KL], camellia_sigma + 2);
#if CAMELLIA_KEY_BYTES > 16
    add_and_mix(words[CAMELLIA_KB], ka, camellia_sigma + 4);
#endif
    return no_tail_call(depth);
}

void CAMELLIA(expand)(CAMELLIA_KEYS *keys, const uint8_t key[CAMELLIA_KEY_BYTES])
{
    uint32_t  words[CAMELLIA_WORDS][4];
    uintptr_t depth = make_words(words, key);
    for (unsigned i = 0; i < CAMELLIA_SUBKEYS; i++) {
        for (unsigned part = 0; part < 2; part++) {
            keys->subkey[i][part] = camellia_part((const uint32_t(*)[4])words, camellia_subkeys[i], part);
        }
    }
    wipe_aligned(words, sizeof words);
    wipe_below(depth);
}
