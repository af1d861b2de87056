/* Key schedule (FIPS 46-3, appendix 1): eight bytes per round, with the six bits for S1 in the first. */

#include "des_rounds.h"
#include "wiping.h"

/* Permuted choice 2, as bit numbers in the halves of the key, 0 the lowest. */
static const uint8_t choice[48] = {
    14, 11, 17, 4, 27, 23, 25, 0, 13, 22, 7, 18, 5, 9, 16, 24, 2, 20, 12, 21, 1, 8, 15, 26,
    15, 4, 25, 19, 9, 1, 26, 16, 5, 11, 23, 8, 12, 7, 17, 0, 22, 3, 10, 14, 6, 20, 27, 24,
};

/* The sixteen round keys of a key, `step` words apart. Returns its stack depth, as the next function does. */
static NOINLINE uintptr_t schedule(uint32_t *k, int step, const uint8_t key[8])
{
    uint32_t c = 0, d = 0;
    /* Permuted choice 1 reads columns of bits from the last byte up; C and D each take half of the fourth column. */
    for (unsigned i = 0; i < 28; i++) {
        c = c << 1 | (key[7 - i % 8] >> (7 - i / 8) & 1);
        d = d << 1 | (key[(i < 24 ? 7 : 3) - i % 8] >> (1 + i / 8) & 1);
    }
    /* A set bit means that the round rotates the halves by two bits. */
    for (uint32_t twice = 0x17efc; twice > 1; twice >>= 1) {
        for (unsigned i = 0; i <= (twice & 1); i++) {
            c = c << 1 | (c >> 27 & 1);
            d = d << 1 | (d >> 27 & 1);
        }
        for (unsigned i = 0; i < 48; i++) {
            uint8_t *bits = (uint8_t *)k + i / 6;
            *bits         = (uint8_t)((*bits << 1 | ((i < 24 ? c : d) >> choice[i] & 1)) & 63);
        }
        k += step;
    }
    return stack_depth();
}

static NOINLINE uintptr_t expand(DES_KEYS *keys, const uint8_t key[DES_KEY_BYTES])
{
    uintptr_t depth = schedule(keys->k, 2, key);
#if DES_KEY_BYTES == 24
    schedule(keys->k + 62, -2, key + 8);
    schedule(keys->k + 64, 2, key + 16);
#endif
    return no_tail_call(depth);
}

void DES_NAME(expand)(DES_KEYS *keys, const uint8_t key[DES_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
