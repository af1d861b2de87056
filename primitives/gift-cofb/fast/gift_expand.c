/* Round keys of GIFT-128 (GIFT-COFB v1.1, section 2.3), two words each, in the bit order that the block has after the
 * round. */

#include "gift.h"
#include "slices.h"

static inline void round_key(uint32_t *at, uint32_t key[4], unsigned step)
{
    at[0] = gift_arranged(key[3], step);
    at[1] = gift_arranged(key[1], step);
    gift_next_key(key);
}

void gift_expand(GIFT_KEYS *keys, const uint8_t key[16])
{
    uint32_t word[4] = {load32_be(key), load32_be(key + 4), load32_be(key + 8), load32_be(key + 12)};
    for (uint32_t *at = keys->round; at < keys->round + 80; at += 10) {
        round_key(at, word, 0);
        round_key(at + 2, word, 1);
        round_key(at + 4, word, 2);
        round_key(at + 6, word, 3);
        round_key(at + 8, word, 4);
    }
}
