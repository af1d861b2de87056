/* A round (RFC 3713, sections 2.3.1 and 2.4.1), with the S-box s1; the three others are rotations of it. */

#include "bytes.h"
#include "camellia_box.h"
#include "camellia_feistel.h"
#include "wiping.h"

/* Rotates a byte left by up to 8 bits. */
static uint32_t rotated(uint32_t byte, unsigned places)
{
    return (byte << 8 | byte) >> (8 - places) & 0xff;
}

/* The S-boxes s1 to s4, highest byte first: s2 and s3 are s1 rotated, and s4 is s1 of a rotated byte. Reports its stack
 * depth in `depth`. */
static NOINLINE uint32_t substituted_word(uint32_t word, uintptr_t *depth)
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t byte = rotated(word >> 24, i == 3);
        word = word << 8 | rotated(substituted(byte, depth), 0x0710 >> 4 * i & 15);
    }
    *depth = deeper(*depth, stack_depth());
    return word;
}

uintptr_t CAMELLIA(feistel)(uint32_t state[4], uint32_t key_left, uint32_t key_right)
{
    /* The right word uses s2, s3, s4 and s1. */
    uintptr_t depth = stack_depth();
    uint32_t  left  = substituted_word(state[0] ^ key_left, &depth);
    uint32_t  right = rotl32(substituted_word(rotr32(state[1] ^ key_right, 8), &depth), 8);
    left  ^= rotl32(right, 8);
    right ^= rotl32(left, 16);
    left  ^= rotr32(right, 8);
    right ^= rotr32(left, 8);
    right ^= state[2];
    left  ^= state[3];
    state[2] = state[0];
    state[3] = state[1];
    state[0] = right;
    state[1] = left;
    return depth;
}
