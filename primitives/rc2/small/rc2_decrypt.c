/* Decryption of a block (RFC 2268, section 4): the steps of encryption in reverse order. */

#include "rc2.h"
#include "wiping.h"

/* Removes the last word, and moves the others up; the caller then computes the first one. */
static inline uint32_t pop(uint32_t x[4])
{
    uint32_t last = x[3];
    x[3]          = x[2];
    x[2]          = x[1];
    x[1]          = x[0];
    return last;
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t decrypt(const RC2_KEYS *keys, const uint8_t text[RC2_BLOCK], uint8_t result[RC2_BLOCK])
{
    uint32_t x[4];
    for (unsigned i = 0; i < 4; i++) {
        x[i] = (uint32_t)text[2 * i] | (uint32_t)text[2 * i + 1] << 8;
    }
    for (unsigned i = 64; i-- > 0;) {
        for (unsigned mash = i == 19 || i == 43 ? 4 : 0; mash > 0; mash--) {
            uint32_t last = pop(x);
            x[0]          = last - keys->k[x[3] % 64];
        }
        unsigned places = 0x5321u >> 4 * (i % 4) & 15;
        uint32_t last   = pop(x) & 0xffff;
        last            = last >> places | last << (16 - places);
        x[0]            = last - keys->k[i] - (x[3] & x[2]) - (~x[3] & x[1]);
    }
    for (unsigned i = 0; i < 4; i++) {
        result[2 * i]     = (uint8_t)x[i];
        result[2 * i + 1] = (uint8_t)(x[i] >> 8);
    }
    return stack_depth();
}

void rc2_decrypt(const RC2_KEYS *keys, const uint8_t text[RC2_BLOCK], uint8_t result[RC2_BLOCK])
{
    wipe_below(decrypt(keys, text, result));
}
