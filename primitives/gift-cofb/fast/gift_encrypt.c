/* GIFT-128 (GIFT-COFB v1.1, section 2.3) with precomputed round keys, five rounds per iteration. */

#include "gift.h"
#include "slices.h"
#include "wiping.h"

static inline void gift_round(uint32_t s[4], const uint32_t *key, const uint32_t *constant, unsigned step)
{
    gift_substitute(s);
    gift_move(s, step);
    s[1] ^= key[2 * step];
    s[2] ^= key[2 * step + 1];
    s[3] ^= constant[step];
}

uintptr_t gift_encrypt(const GIFT_KEYS *keys, uint32_t block[4])
{
    uint32_t        s[4]     = {block[0], block[1], block[2], block[3]};
    const uint32_t *constant = gift_constants;
    for (const uint32_t *key = keys->round; key < keys->round + 80; key += 10) {
        gift_round(s, key, constant, 0);
        gift_round(s, key, constant, 1);
        gift_round(s, key, constant, 2);
        gift_round(s, key, constant, 3);
        gift_round(s, key, constant, 4);
        constant += 5;
    }
    for (unsigned i = 0; i < 4; i++) {
        block[i] = s[i];
    }
    return stack_depth();
}
