/* Encryption and decryption of a block, with round keys computed on the fly (RFC 5794, sections 2.2 and 2.3). */

#include "aria_steps.h"
#include "wiping.h"

/* Adds a round key: the sum of one word and the next one rotated right. */
static NOINLINE uintptr_t add_round_key(uint8_t state[16], const ARIA_KEYS *keys, unsigned round)
{
    static const uint8_t rotations[5] = {19, 31, 67, 97, 109};
    const uint8_t *word = keys->w[round & 3];
    const uint8_t *next = keys->w[(round + 1) & 3];
    unsigned       by   = rotations[round / 4];
    for (unsigned i = 0; i < 16; i++) {
        unsigned from = i - by / 8;
        unsigned pair = (unsigned)next[(from - 1) & 15] << 8 | next[from & 15];
        state[i] ^= (uint8_t)(word[i] ^ pair >> by % 8);
    }
    return stack_depth();
}

/* Decryption is encryption with the round keys in reverse order, all but the first and last one diffused. Adding a
 * round key before the diffusion layer is equivalent to adding the diffused one after it. */
static NOINLINE uintptr_t crypt(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16],
                                unsigned backwards)
{
    for (unsigned i = 0; i < 16; i++) {
        result[i] = text[i];
    }
    uintptr_t depth = add_round_key(result, keys, backwards ? ARIA_ROUNDS : 0);
    for (unsigned round = 1; round <= ARIA_ROUNDS; round++) {
        depth = deeper(depth, ARIA(substitute)(result, round - 1));
        if (backwards) {
            add_round_key(result, keys, ARIA_ROUNDS - round);
        }
        if (round < ARIA_ROUNDS) {
            depth = deeper(depth, ARIA(diffuse)(result));
        }
        if (!backwards) {
            add_round_key(result, keys, round);
        }
    }
    return depth;
}

void ARIA(encrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(crypt(keys, text, result, 0));
}

void ARIA(decrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(crypt(keys, text, result, 1));
}
