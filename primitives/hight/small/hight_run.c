/* Encryption and decryption of a block, a byte at a time (ISO/IEC 18033-3, HIGHT).
 *
 * The standard rotates the block by one byte after each round. Here the bytes stay and the indices rotate; since the
 * last round does not rotate the block, the result is off by one byte. */

#include "small.h"
#include "wiping.h"

/* The constants are states of a linear feedback shift register (s(i+7) = s(i+3) + s(i)) that runs in either
 * direction. */
static unsigned next_constant(unsigned constant, unsigned back)
{
    if (back) {
        return (constant << 1 & 0x7f) | ((constant >> 6 ^ constant >> 2) & 1);
    }
    return constant >> 1 | ((constant << 3 ^ constant << 6) & 0x40);
}

/* Updates the byte that belongs to subkey n, with F0 for an odd subkey, otherwise F1. */
static void step(uint8_t block[8], unsigned n, unsigned subkey, unsigned back)
{
    unsigned at     = 6 - 2 * n + n / 4;
    uint8_t *target = &block[at % 8];
    unsigned byte   = block[(at + 1) % 8];
    byte |= byte << 8;
    if (n % 2) {
        *target ^= (uint8_t)(((byte >> 7 ^ byte >> 6 ^ byte >> 1) & 0xff) + subkey);
    } else {
        *target = (uint8_t)(*target + (((byte >> 5 ^ byte >> 4 ^ byte >> 2 ^ subkey) ^ back) - back));
    }
}

void hight_run(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8], unsigned back)
{
    const uint8_t *key      = keys->key;
    unsigned       constant = 0x5a;
    uint8_t        block[8];
    hight_move(block, back, text, 0, key + (back & 12), back);
    for (unsigned i = 0; i < 4 * HIGHT_ROUNDS; i++) {
        unsigned n = i ^ (back & 127);
        step(block, n, key[15 - ((n - n / 16) % 8 + (n & 8))] + constant, back);
        constant = next_constant(constant, back);
    }
    uintptr_t depth = hight_move(result, 0, block, ~back, key + (~back & 12), back);
    wipe(block, sizeof block);
    wipe_below(depth);
}
