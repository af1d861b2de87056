/* The round keys (RFC 6114, sections 6.1 and 6.3). */

#include "clefia_round.h"
#include "clefia_schedule.h"
#include "wiping.h"

/* Computes L: the key after twelve rounds, the last of which does not rotate the words. */
static uint32_t make_l(uint32_t l[4], const uint32_t key[4])
{
    uint32_t number = CLEFIA_FIRST;
    uint32_t state[4] = {key[0], key[1], key[2], key[3]};
    for (unsigned i = 0; i < 12; i += 4) {
        for (unsigned place = 0; place < 4; place++) {
            const uint32_t constants[2] = {clefia_constant(number, 0), clefia_constant(number, 1)};
            clefia_round(state, place, constants);
            number = clefia_next(number);
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        l[i] = state[(i + 3) & 3];
    }
    return number;
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(CLEFIA_KEYS *keys, const uint8_t key[16])
{
    uint32_t l[4];
    for (unsigned i = 0; i < 4; i++) {
        keys->white[i] = load32_be(key + 4 * i);
    }
    uint32_t number = make_l(l, keys->white);
    for (unsigned i = 0; i < 36; i += 4) {
        for (unsigned j = 0; j < 4; j++) {
            uint32_t word = l[j] ^ clefia_constant(number, j & 1);
            keys->round[i + j] = i & 4 ? word ^ keys->white[j] : word;
            number = j & 1 ? clefia_next(number) : number;
        }
        clefia_double_swap(l);
    }
    return stack_depth();
}

void clefia128_expand(CLEFIA_KEYS *keys, const uint8_t key[16])
{
    wipe_below(expand(keys, key));
}
