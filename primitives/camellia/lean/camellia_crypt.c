/* Encryption and decryption of a block, with subkeys computed on the fly (RFC 3713, sections 2.2 to 2.4). */

#include "camellia_feistel.h"
#include "camellia_subkeys.h"
#include "wiping.h"

/* Adds a whitening subkey to the left half, or applies FL or its inverse to it. */
static inline void outside_rounds(uint32_t state[2], unsigned i, uint32_t left, uint32_t right)
{
    if (i < 2 || i >= CAMELLIA_SUBKEYS - 2) {
        state[0] ^= left;
        state[1] ^= right;
    } else if (i % 2 == 0) {
        state[1] ^= rotl32(state[0] & left, 1);
        state[0] ^= state[1] | right;
    } else {
        state[0] ^= state[1] | right;
        state[1] ^= rotl32(state[0] & left, 1);
    }
}

static inline void swap(uint32_t state[4])
{
    uint32_t first = state[0], second = state[1];
    state[0] = state[2];
    state[1] = state[3];
    state[2] = first;
    state[3] = second;
}

/* Applies every subkey to the left half, and then swaps the halves. Returns its stack depth. */
static NOINLINE uintptr_t crypt(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16],
                                unsigned backwards)
{
    uint32_t state[4];
    for (unsigned i = 0; i < 4; i++) {
        state[i] = load32_be(text + 4 * i);
    }
    for (unsigned i = 0; i < CAMELLIA_SUBKEYS; i++) {
        unsigned at = camellia_subkeys[backwards ? CAMELLIA_SUBKEYS - 1 - i : i];
        uint32_t left  = camellia_part(keys->word, at, 0);
        uint32_t right = camellia_part(keys->word, at, 1);
        if (i % 8 > 1) {
            camellia_feistel(state, state + 2, left, right);
        } else {
            outside_rounds(state, i, left, right);
        }
        swap(state);
    }
    for (unsigned i = 0; i < 4; i++) {
        store32_be(result + 4 * (i ^ 2), state[i]);
    }
    return stack_depth();
}

void CAMELLIA(encrypt)(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(crypt(keys, text, result, 0));
}

void CAMELLIA(decrypt)(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(crypt(keys, text, result, 1));
}
