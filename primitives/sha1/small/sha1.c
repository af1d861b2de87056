/* SHA-1 (FIPS 180-4, section 6.1) in little code: one loop for all rounds, after the whole message schedule. */

#include "sha1.h"

#include "bytes.h"
#include "wiping.h"

/* The functions of a round (section 4.1.1). */
static inline uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round == 0) {
        return d ^ (b & (c ^ d));
    }
    if (round == 2) {
        return (b & c) | (d & (b | c));
    }
    return b ^ c ^ d;
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t compress(SHA1 *state)
{
    static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t              w[80], v[5];
    for (unsigned i = 0; i < 16; i++) {
        w[i] = load32_be(state->block + 4 * i);
    }
    for (unsigned i = 16; i < 80; i++) {
        w[i] = rotl32(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    for (unsigned i = 0; i < 5; i++) {
        v[i] = state->h[i];
    }
    for (unsigned i = 0; i < 80; i++) {
        uint32_t sum = rotl32(v[0], 5) + mix(i / 20, v[1], v[2], v[3]) + constants[i / 20] + v[4] + w[i];
        v[4]         = v[3];
        v[3]         = v[2];
        v[2]         = rotl32(v[1], 30);
        v[1]         = v[0];
        v[0]         = sum;
    }
    for (unsigned i = 0; i < 5; i++) {
        state->h[i] += v[i];
    }
    return stack_depth();
}

void sha1_init(SHA1 *state)
{
    static const uint32_t initial[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (unsigned i = 0; i < 5; i++) {
        state->h[i] = initial[i];
    }
    state->length = 0;
}

void sha1_update(SHA1 *state, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    for (; size > 0; size--) {
        state->block[state->length++ % SHA1_BLOCK] = *message++;
        if (state->length % SHA1_BLOCK == 0) {
            depth = compress(state);
        }
    }
    wipe_below(depth);
}

/* Stores words as bytes, highest first. */
static void unpack(const uint32_t *words, uint8_t *bytes, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (~i % 4));
    }
}

void sha1_final(SHA1 *state, uint8_t digest[SHA1_BYTES])
{
    uintptr_t depth = stack_depth();
    const uint32_t bits[2] = {(uint32_t)(state->length >> 29), (uint32_t)state->length << 3};
    uint8_t        byte    = 0x80;
    while (sha1_update(state, &byte, 1), state->length % SHA1_BLOCK != SHA1_BLOCK - 8) {
        byte = 0;
    }
    unpack(bits, state->block + SHA1_BLOCK - 8, 8);
    depth = compress(state);
    unpack(state->h, digest, SHA1_BYTES);
    wipe(state, sizeof *state);
    wipe_below(depth);
}
