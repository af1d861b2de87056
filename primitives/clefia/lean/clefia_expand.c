/* Computes L: the key after twelve rounds (RFC 6114, section 6.1). */

#include "clefia_round.h"
#include "clefia_schedule.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(CLEFIA_KEYS *keys, const uint8_t key[16])
{
    uint32_t state[4];
    for (unsigned i = 0; i < 4; i++) {
        state[i] = keys->key[i] = load32_be(key + 4 * i);
    }
    uint32_t number = CLEFIA_FIRST;
    for (unsigned i = 0; i < 12; i += 2) {
        for (unsigned place = 0; place < 2; place++) {
            clefia_round(state, place, number);
            number = clefia_next(number);
        }
        clefia_turn(state);
    }
    /* The last round does not rotate the words. */
    for (unsigned i = 0; i < 4; i++) {
        keys->l[i] = state[(i + 3) & 3];
    }
    return no_tail_call(clefia_room());
}

void clefia128_expand(CLEFIA_KEYS *keys, const uint8_t key[16])
{
    wipe_below(expand(keys, key));
}
