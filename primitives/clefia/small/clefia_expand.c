/* The round keys (RFC 6114, sections 6.1 and 6.3). */

#include "bytes.h"
#include "clefia.h"
#include "clefia_half.h"
#include "clefia_schedule.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(CLEFIA_KEYS *keys, const uint8_t key[16])
{
    uint32_t number = CLEFIA_FIRST, l[4];
    /* Rounds that begin with the second word leave L in its final position. */
    for (unsigned i = 0; i < 4; i++) {
        keys->white[i] = load32_be(key + 4 * i);
        l[(i + 1) & 3] = keys->white[i];
    }
    for (unsigned i = 0; i < 60; i++) {
        uint32_t constant = clefia_constant(number, i & 1);
        if (i & 1) {
            number = clefia_next(number);
        }
        if (i < 24) {
            clefia_half(l, i + 2, constant);
            continue;
        }
        keys->round[i - 24] = constant ^ l[i & 3] ^ (i & 4 ? keys->white[i & 3] : 0);
        if ((i & 3) == 3) {
            clefia_double_swap(l);
        }
    }
    return stack_depth();
}

void clefia128_expand(CLEFIA_KEYS *keys, const uint8_t key[16])
{
    wipe_below(expand(keys, key));
}
