/* Key schedule (FIPS 46-3, appendix 1) with tables. The first word of a round has its bits for the S-boxes 1, 3, 5 and
 * 7, the second for 2, 4, 6 and 8, in the upper six bits of each byte. */

#include "des_tables.h"
#include "wiping.h"

/* Permuted choice 2 of one half of the key, whose 28 bits are the upper ones of a word. */
#define CHOSEN(half, t)                                       \
    ((t)[0][(half) >> 25] | (t)[1][(half) >> 18 & 127] |      \
     (t)[2][(half) >> 11 & 127] | (t)[3][(half) >> 4 & 127])

static uint32_t turned(uint32_t half, unsigned places)
{
    return (half << places | half >> (28 - places)) & ~(uint32_t)15;
}

/* The sixteen round keys of a key, `step` words apart. Returns its stack depth. */
static NOINLINE uintptr_t schedule(uint32_t *k, int step, const uint8_t key[8])
{
    uint32_t l = load32_be(key), r = load32_be(key + 4);
    DES_EXCHANGE(l, r, 4, 0x0f0f0f0f)
    DES_EXCHANGE(l, r, 16, 0x0000ffff)
    DES_EXCHANGE(r, l, 2, 0x33333333)
    DES_EXCHANGE(r, l, 8, 0x00ff00ff)
    DES_EXCHANGE(l, r, 1, 0x55555555)
    uint32_t c = (r & 0xff000000) | (l >> 8 & 0xff0000) | (r >> 8 & 0xff00) | (l >> 16 & 0xf0);
    uint32_t d = r << 24 | (l << 8 & 0xff0000) | (r & 0xff00) | (l >> 12 & 0xf0);
    /* A set bit means that the round rotates the halves by two bits. */
    for (uint32_t twice = 0x17efc; twice > 1; twice >>= 1) {
        unsigned places = 1 + (unsigned)(twice & 1);
        c               = turned(c, places);
        d               = turned(d, places);
        uint32_t upper = CHOSEN(c, DES_NAME(choice)), lower = CHOSEN(d, DES_NAME(choice) + 4);
        k[0]           = (upper & 0xffff0000) | lower >> 16;
        k[1]           = upper << 16 | (lower & 0xffff);
        k += step;
    }
    return stack_depth();
}

void DES_NAME(expand)(DES_KEYS *keys, const uint8_t key[DES_KEY_BYTES])
{
    uintptr_t depth = schedule(keys->k, 2, key);
#if DES_KEY_BYTES == 24
    schedule(keys->k + 62, -2, key + 8);
    schedule(keys->k + 64, 2, key + 16);
#endif
    wipe_below(depth);
}
