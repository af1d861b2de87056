/* SHA-1 (FIPS 180-4, section 6.1). */

#include "sha1.h"

static uint32_t rotate(uint32_t a, unsigned bits)
{
    return a << bits | a >> (32 - bits);
}

/* The function and the constant of a round (sections 4.1.1 and 4.2.1). */
static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round < 20) {
        return ((b & c) ^ (~b & d)) + 0x5a827999u;
    }
    if (round < 40) {
        return (b ^ c ^ d) + 0x6ed9eba1u;
    }
    if (round < 60) {
        return ((b & c) ^ (b & d) ^ (c & d)) + 0x8f1bbcdcu;
    }
    return (b ^ c ^ d) + 0xca62c1d6u;
}

/* The message schedule, of which only the last sixteen words are kept (section 6.1.3). */
static uint32_t expand(uint32_t w[16], unsigned round)
{
    if (round >= 16) {
        uint32_t x = w[(round + 13) % 16] ^ w[(round + 8) % 16] ^ w[(round + 2) % 16] ^ w[round % 16];
        w[round % 16] = rotate(x, 1);
    }
    return w[round % 16];
}

static void compress(SHA1 *state)
{
    uint32_t w[16];
    uint32_t a = state->h[0], b = state->h[1], c = state->h[2], d = state->h[3], e = state->h[4];
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t *byte = state->block + 4 * i;
        w[i] = (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
    }
    for (unsigned round = 0; round < 80; round++) {
        uint32_t t = rotate(a, 5) + mix(round, b, c, d) + e + expand(w, round);
        e          = d;
        d          = c;
        c          = rotate(b, 30);
        b          = a;
        a          = t;
    }
    state->h[0] += a;
    state->h[1] += b;
    state->h[2] += c;
    state->h[3] += d;
    state->h[4] += e;
    for (volatile uint32_t *word = w; word < w + 16; word++) {
        *word = 0;
    }
}

void sha1_init(SHA1 *state)
{
    static const uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (unsigned i = 0; i < 5; i++) {
        state->h[i] = start[i];
    }
    state->length = 0;
}

void sha1_update(SHA1 *state, const uint8_t *message, size_t size)
{
    for (; size > 0; size--) {
        state->block[state->length++ % SHA1_BLOCK] = *message++;
        if (state->length % SHA1_BLOCK == 0) {
            compress(state);
        }
    }
}

void sha1_final(SHA1 *state, uint8_t digest[SHA1_BYTES])
{
    static const uint8_t pad[SHA1_BLOCK] = {0x80};
    uint64_t             bits            = state->length * 8;
    uint8_t              count[8];
    size_t               used = (size_t)(state->length % SHA1_BLOCK);
    for (unsigned i = 0; i < 8; i++) {
        count[i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    sha1_update(state, pad, used < 56 ? 56 - used : 120 - used);
    sha1_update(state, count, sizeof count);
    for (unsigned i = 0; i < SHA1_BYTES; i++) {
        digest[i] = (uint8_t)(state->h[i / 4] >> (24 - 8 * (i % 4)));
    }
    volatile uint8_t *byte = (volatile uint8_t *)state;
    for (size_t i = 0; i < sizeof *state; i++) {
        byte[i] = 0;
    }
}
