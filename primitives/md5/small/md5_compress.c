/* The compression function (RFC 1321, section 3.4). The constants, which are sines, are computed on the fly: the code
 * takes half the memory of their table, and they are not secret. */

#include "md5.h"

#include "bytes.h"
#include "wiping.h"

/* A sine times 2^63, and its difference from the previous one. */
typedef struct {
    int64_t now, more;
} SINE;

/* sin(i + 1) - sin(i) = sin(i) - sin(i - 1) - (2 - 2 cos(1)) sin(i), with the factor truncated to 52 bits. Over 64
 * steps the error is below 2^-48; the constants tolerate 2^-39. */
static inline void next_sine(SINE *sine)
{
    const uint32_t high = 0xeb5d7f04, low = 0xaf974000;
    int32_t        s    = (int32_t)(sine->now >> 32);
    uint32_t       rest = (uint32_t)((uint64_t)(uint32_t)sine->now * high >> 32);
    sine->more -= (int64_t)s * high + rest + ((int64_t)s * low >> 32);
    sine->now += sine->more;
}

static inline uint32_t constant(const SINE *sine)
{
    return (uint32_t)((sine->now ^ sine->now >> 63) >> 31);
}

/* The auxiliary functions F, G, H and I. */
static inline uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round == 0) {
        return d ^ (b & (c ^ d));
    }
    if (round == 1) {
        return c ^ (d & (b ^ c));
    }
    return round == 2 ? b ^ c ^ d : c ^ (b | ~d);
}

uintptr_t md5_compress(uint32_t state[4], const uint8_t block[MD5_BLOCK])
{
    /* For each round: the first index in the block, the increment, and the rotations. */
    static const uint8_t rounds[4][6] = {
        {0, 1, 7, 12, 17, 22}, {1, 5, 5, 9, 14, 20}, {5, 3, 4, 11, 16, 23}, {0, 7, 6, 10, 15, 21},
    };
    SINE     sine = {0x6bb5523c2433b810, 0x6bb5523c2433b810};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (unsigned i = 0; i < 64; i++) {
        const uint8_t *round = rounds[i / 16];
        unsigned       word  = (round[0] + round[1] * i) % 16;

        uint32_t sum = a + mix(i / 16, b, c, d) + load32_le(block + 4 * word) + constant(&sine);
        a            = d;
        d            = c;
        c            = b;
        b += rotl32(sum, round[2 + i % 4]);
        next_sine(&sine);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    return stack_depth();
}
