/* The compression function (RFC 1320, section 3.4), with one loop for the three rounds. */

#include "md4.h"

#include "bytes.h"
#include "wiping.h"

/* The auxiliary functions F, G and H, with their constants. */
static inline uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round == 0) {
        return d ^ (b & (c ^ d));
    }
    if (round == 1) {
        return ((b & c) | (d & (b | c))) + 0x5a827999;
    }
    return (b ^ c ^ d) + 0x6ed9eba1;
}

/* For each step: the index of its word in the upper nibble, and half of its odd rotation, rounded down. */
static const uint8_t steps[48] = {
    0x01, 0x13, 0x25, 0x39, 0x41, 0x53, 0x65, 0x79, 0x81, 0x93, 0xa5, 0xb9, 0xc1, 0xd3, 0xe5, 0xf9,
    0x01, 0x42, 0x84, 0xc6, 0x11, 0x52, 0x94, 0xd6, 0x21, 0x62, 0xa4, 0xe6, 0x31, 0x72, 0xb4, 0xf6,
    0x01, 0x84, 0x45, 0xc7, 0x21, 0xa4, 0x65, 0xe7, 0x11, 0x94, 0x55, 0xd7, 0x31, 0xb4, 0x75, 0xf7,
};

uintptr_t md4_compress(uint32_t state[4], const uint8_t block[MD4_BLOCK])
{
    uint32_t v[4];
    for (unsigned i = 0; i < 4; i++) {
        v[i] = state[i];
    }
    for (unsigned i = 0; i < 48; i++) {
        unsigned step = steps[i];
        uint32_t sum  = v[0] + mix(i / 16, v[1], v[2], v[3]) + load32_le(block + 4 * (step >> 4));
        v[0]          = v[3];
        v[3]          = v[2];
        v[2]          = v[1];
        v[1]          = rotl32(sum, 2 * step + 1);
    }
    for (unsigned i = 0; i < 4; i++) {
        state[i] += v[i];
    }
    return stack_depth();
}
