/* The round keys for both directions (RFC 5794, section 2.2). */

#include "aria_round.h"
#include "aria_schedule.h"
#include "wiping.h"

/* W0 to W3: the key, and three rounds over it. Returns its stack depth. */
static NOINLINE uintptr_t make_words(uint32_t words[4][4], const uint8_t key[ARIA_KEY_BYTES])
{
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
        if (n == 1) {
            aria_round2(state);
        } else {
            aria_round1(state);
        }
        for (unsigned i = 0; i < 4; i++) {
            words[n + 1][i] = state[i] ^ words[(n + 3) & 3][i];
        }
    }
    return stack_depth();
}

static void make_round_key(uint32_t round_key[4], const uint32_t words[4][4], unsigned round)
{
    for (unsigned i = 0; i < 4; i++) {
        round_key[i] = aria_key_part(words, round, i);
    }
}

void ARIA(expand)(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES])
{
    uint32_t  words[4][4];
    uintptr_t depth = make_words(words, key);
    for (unsigned round = 0; round <= ARIA_ROUNDS; round++) {
        make_round_key(keys->round[round], (const uint32_t(*)[4])words, round);
    }
    wipe_aligned(words, sizeof words);
    wipe_below(depth);
}

/* The diffusion layer A, an involution. */
static void diffuse(uint32_t state[4])
{
    for (unsigned i = 0; i < 4; i++) {
        state[i] = aria_mixed(state[i]);
    }
    aria_diffuse(state);
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand_decrypt(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES])
{
    uint32_t  words[4][4];
    uintptr_t depth = make_words(words, key);
    for (unsigned round = 0; round <= ARIA_ROUNDS; round++) {
        uint32_t *round_key = keys->round[ARIA_ROUNDS - round];
        make_round_key(round_key, (const uint32_t(*)[4])words, round);
        if (round > 0 && round < ARIA_ROUNDS) {
            diffuse(round_key);
        }
    }
    wipe_aligned(words, sizeof words);
    return no_tail_call(depth);
}

void ARIA(expand_decrypt)(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES])
{
    wipe_below(expand_decrypt(keys, key));
}
