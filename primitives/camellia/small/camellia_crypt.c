/* Encryption and decryption of a block, with subkeys computed on the fly (RFC 3713, sections 2.2 to 2.4). */

#include "bytes.h"
#include "camellia_feistel.h"
#include "camellia_subkeys.h"
#include "wiping.h"

static void swap(uint32_t state[4])
{
    for (unsigned i = 0; i < 2; i++) {
        uint32_t left = state[i];
        state[i]     = state[i + 2];
        state[i + 2] = left;
    }
}

/* Applies a subkey to the left half, and swaps the halves. */
static inline uintptr_t step(uint32_t state[4], unsigned i, uint32_t left, uint32_t right)
{
    if (i % 8 > 1) {
        return CAMELLIA(feistel)(state, left, right);
    }
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
    swap(state);
    return ~(uintptr_t)0;
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t crypt(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16],
                                unsigned backwards)
{
    uint32_t  state[4];
    uintptr_t depth = stack_depth();
    for (unsigned i = 0; i < 4; i++) {
        state[i] = load32_be(text + 4 * i);
    }
    for (unsigned i = 0; i < CAMELLIA_SUBKEYS; i++) {
        unsigned at = camellia_subkeys[backwards ? CAMELLIA_SUBKEYS - 1 - i : i];
        uintptr_t other = step(state, i, camellia_part(keys->word, at, 0), camellia_part(keys->word, at, 1));
        depth           = deeper(depth, other);
    }
    for (unsigned i = 0; i < 4; i++) {
        store32_be(result + 4 * (i ^ 2), state[i]);
    }
    return depth;
}

void CAMELLIA(encrypt)(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(crypt(keys, text, result, 0));
}

void CAMELLIA(decrypt)(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(crypt(keys, text, result, 1));
}
