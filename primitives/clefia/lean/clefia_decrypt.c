/* Decryption of a block: the rounds and the key schedule in reverse order (RFC 6114, sections 4.2 and 6.2). */

#include "clefia_crypt.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    uint32_t state[4], l[4];
    state[3] = load32_be(text);
    state[0] = load32_be(text + 4);
    state[1] = load32_be(text + 8);
    state[2] = load32_be(text + 12);
    l[0] = keys->l[0];
    l[1] = keys->l[1];
    l[2] = keys->l[2];
    l[3] = keys->l[3];
    state[0] ^= keys->key[2];
    state[2] ^= keys->key[3];
    for (unsigned pair = 0; pair < CLEFIA_ROUNDS / 2; pair++) {
        clefia_double_swap(l);
    }
    uint32_t number = CLEFIA_END;
    for (unsigned pair = CLEFIA_ROUNDS / 2; pair-- > 0;) {
        clefia_turn(state);
        clefia_double_swap_back(l);
        number = clefia_before(number);
        clefia_keyed_round(state, 1, keys, pair, number, l);
        number = clefia_before(number);
        clefia_keyed_round(state, 0, keys, pair, number, l);
    }
    state[1] ^= keys->key[0];
    state[3] ^= keys->key[1];
    store32_be(result, state[0]);
    store32_be(result + 4, state[1]);
    store32_be(result + 8, state[2]);
    store32_be(result + 12, state[3]);
    return no_tail_call(clefia_room());
}

void clefia128_decrypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(decrypt(keys, text, result));
}
