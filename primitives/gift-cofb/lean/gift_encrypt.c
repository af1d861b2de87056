/* GIFT-128 (GIFT-COFB v1.1, section 2.3) with round keys computed on the fly, one round per iteration. */

#include "gift.h"
#include "rounds.h"
#include "slices.h"
#include "wiping.h"

void gift_expand(GIFT_KEYS *keys, const uint8_t key[16])
{
    keys->key = key;
}

uintptr_t gift_encrypt(const GIFT_KEYS *keys, uint32_t block[4])
{
    uint32_t key[4];
    for (unsigned i = 0; i < 4; i++) {
        key[i] = load32_be(keys->key + 4 * i);
    }
    for (unsigned round = 0; round < 40; round += 5) {
        for (unsigned step = 0; step < 5; step++) {
            gift_round(block, key, step);
            block[3] ^= gift_constants[round + step];
            gift_next_key(key);
        }
    }
    wipe_aligned(key, sizeof key);
    return stack_depth();
}
