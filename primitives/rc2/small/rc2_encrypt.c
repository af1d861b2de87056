/* Encryption of a block (RFC 2268, section 3): each step moves the words down by one, and computes the last one. */

#include "rc2.h"
#include "wiping.h"

static inline void push(uint32_t x[4], uint32_t last)
{
    x[0] = x[1];
    x[1] = x[2];
    x[2] = x[3];
    x[3] = last;
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t encrypt(const RC2_KEYS *keys, const uint8_t text[RC2_BLOCK], uint8_t result[RC2_BLOCK])
{
    uint32_t x[4];
    for (unsigned i = 0; i < 4; i++) {
        x[i] = (uint32_t)text[2 * i] | (uint32_t)text[2 * i + 1] << 8;
    }
    for (unsigned i = 0; i < 64; i++) {
        unsigned places = 0x5321u >> 4 * (i % 4) & 15;
        uint32_t sum    = (x[0] + keys->k[i] + (x[3] & x[2]) + (~x[3] & x[1])) & 0xffff;
        push(x, sum << places | sum >> (16 - places));
        for (unsigned mash = i == 19 || i == 43 ? 4 : 0; mash > 0; mash--) {
            push(x, x[0] + keys->k[x[3] % 64]);
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        result[2 * i]     = (uint8_t)x[i];
        result[2 * i + 1] = (uint8_t)(x[i] >> 8);
    }
    return stack_depth();
}

void rc2_encrypt(const RC2_KEYS *keys, const uint8_t text[RC2_BLOCK], uint8_t result[RC2_BLOCK])
{
    wipe_below(encrypt(keys, text, result));
}
