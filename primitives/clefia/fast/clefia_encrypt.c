/* Encryption of a block (RFC 6114, section 4.2). */

#include "clefia_round.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t encrypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    const uint32_t *key = keys->round;
    uint32_t state[4];
    state[0] = load32_be(text);
    state[1] = load32_be(text + 4) ^ keys->white[0];
    state[2] = load32_be(text + 8);
    state[3] = load32_be(text + 12) ^ keys->white[1];
    for (;;) {
        clefia_round(state, 0, key);
        clefia_round(state, 1, key + 2);
        if (key == keys->round + 2 * CLEFIA_ROUNDS - 4) {
            break;
        }
        clefia_round(state, 2, key + 4);
        clefia_round(state, 3, key + 6);
        key += 8;
    }
    store32_be(result, state[1]);
    store32_be(result + 4, state[2] ^ keys->white[2]);
    store32_be(result + 8, state[3]);
    store32_be(result + 12, state[0] ^ keys->white[3]);
    return stack_depth();
}

void clefia128_encrypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(encrypt(keys, text, result));
}
