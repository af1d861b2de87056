/* Encryption of a block; decryption is the same with other round keys (RFC 5794, section 2.3). */

#include "aria_round.h"
#include "wiping.h"

/* The last substitution layer, SL2, and the last round key. The tables have each S-box in the lowest byte or in the
 * next one. Inlined, because it does not return a stack depth. */
INLINED void last_word(uint32_t word, uint32_t key, uint8_t result[4])
{
    result[0] = (uint8_t)(ARIA(table)[2][word >> 24] ^ key >> 24);
    result[1] = (uint8_t)(ARIA(table)[3][word >> 16 & 0xff] >> 8 ^ key >> 16);
    result[2] = (uint8_t)(ARIA(table)[0][word >> 8 & 0xff] ^ key >> 8);
    result[3] = (uint8_t)(ARIA(table)[1][word & 0xff] ^ key);
}

static inline void add(uint32_t state[4], const uint32_t key[4])
{
    state[0] ^= key[0];
    state[1] ^= key[1];
    state[2] ^= key[2];
    state[3] ^= key[3];
}

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    const uint32_t(*key)[4] = keys->round;
    uint32_t state[4];
    state[0] = load32_be(text);
    state[1] = load32_be(text + 4);
    state[2] = load32_be(text + 8);
    state[3] = load32_be(text + 12);
    add(state, key[0]);
    for (;;) {
        aria_round1(state);
        add(state, key[1]);
        key += 2;
        if (key == keys->round + ARIA_ROUNDS) {
            break;
        }
        aria_round2(state);
        add(state, key[0]);
    }
    last_word(state[0], key[0][0], result);
    last_word(state[1], key[0][1], result + 4);
    last_word(state[2], key[0][2], result + 8);
    last_word(state[3], key[0][3], result + 12);
    return stack_depth();
}

void ARIA(encrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(encrypt(keys, text, result));
}

void ARIA(decrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    ARIA(encrypt)(keys, text, result);
}
