/* GIFT-128 in loops, with a bit permutation that moves one bit at a time (GIFT-COFB v1.1, section 2.3). */

#include "gift.h"

#include "bytes.h"
#include "wiping.h"

void gift_expand(GIFT_KEYS *keys, const uint8_t key[16])
{
    keys->key = key;
}

static void substitute(uint32_t s[4])
{
    uint32_t first;
    s[1] ^= s[0] & s[2];
    first = s[0] ^ (s[1] & s[3]);
    s[2] ^= first | s[1];
    s[0] = s[3] ^ s[2];
    s[1] ^= s[0];
    s[0] = ~s[0];
    s[2] ^= first & s[1];
    s[3] = first;
}

/* Bit 4 b + r of word i goes to bit b of byte i - r. */
static void permute(uint32_t s[4])
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = 0;
        for (unsigned j = 0; j < 32; j++) {
            word |= (s[i] >> j & 1) << ((8 * i - 8 * j + j / 4) % 32);
        }
        s[i] = word;
    }
}

static void turn_key(uint32_t key[4])
{
    uint32_t last = key[3], high = last & 0xffff0000, low = last & 0xffff;
    key[3] = key[2];
    key[2] = key[1];
    key[1] = key[0];
    key[0] = (high >> 2 & 0xffff0000) | high << 14 | low >> 12 | (low << 4 & 0xffff);
}

uintptr_t gift_encrypt(const GIFT_KEYS *keys, uint32_t block[4])
{
    uint32_t key[4];
    unsigned constant = 0;
    for (unsigned i = 0; i < 4; i++) {
        key[i] = load32_be(keys->key + 4 * i);
    }
    for (unsigned round = 0; round < 40; round++) {
        constant = (constant << 1 & 0x3f) | ((constant >> 5 ^ constant >> 4 ^ 1) & 1);
        substitute(block);
        permute(block);
        block[1] ^= key[3];
        block[2] ^= key[1];
        block[3] ^= 0x80000000 ^ constant;
        turn_key(key);
    }
    wipe_aligned(key, sizeof key);
    return stack_depth();
}
