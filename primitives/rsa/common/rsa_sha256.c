/* SHA-256 of a complete message (FIPS 180-4, sections 5 and 6.2). */

#include "rsa_sha256.h"

#include "bytes.h"

enum { BLOCK = 64 };

/* Fractions of the square roots of the first 8 primes, and of the cube roots of the first 64. */
static const uint32_t initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* The next word of the message schedule, which replaces the one 16 before it. */
static uint32_t scheduled(uint32_t w[16], unsigned t)
{
    uint32_t early = w[(t + 1) % 16], late = w[(t + 14) % 16];
    w[t % 16] += (rotr32(early, 7) ^ rotr32(early, 18) ^ early >> 3) + w[(t + 9) % 16] +
                 (rotr32(late, 17) ^ rotr32(late, 19) ^ late >> 10);
    return w[t % 16];
}

static void compress(uint32_t state[8], uint32_t w[16])
{
    uint32_t v[8];
    for (unsigned i = 0; i < 8; i++) {
        v[i] = state[i];
    }
    for (unsigned t = 0; t < 64; t++) {
        uint32_t sum1 = rotr32(v[4], 6) ^ rotr32(v[4], 11) ^ rotr32(v[4], 25);
        uint32_t sum0 = rotr32(v[0], 2) ^ rotr32(v[0], 13) ^ rotr32(v[0], 22);
        uint32_t most = (v[0] & v[1]) | (v[2] & (v[0] | v[1]));
        uint32_t t1   = v[7] + sum1 + (v[6] ^ (v[4] & (v[5] ^ v[6]))) + constant[t];
        t1 += t < 16 ? w[t] : scheduled(w, t);
        for (unsigned i = 7; i > 0; i--) {
            v[i] = v[i - 1];
        }
        v[4] += t1;
        v[0] = t1 + sum0 + most;
    }
    for (unsigned i = 0; i < 8; i++) {
        state[i] += v[i];
    }
    wipe(v, sizeof v);
}

/* Byte i of the message and the padding: the tail, and a byte of 128. */
static uint32_t byte_at(const uint8_t *message, size_t size, uint32_t tail, size_t tail_size, size_t i)
{
    if (i < size) {
        return message[i];
    }
    i -= size;
    if (i < tail_size) {
        return tail >> (24 - 8 * i) & 255;
    }
    return i == tail_size ? 128 : 0;
}

void RSA(sha256)(const uint8_t *message, size_t size, uint32_t tail, size_t tail_size,
                 uint8_t digest[RSA_DIGEST_BYTES])
{
    uint32_t state[8], w[16] = {0};
    size_t   total = size + tail_size;
    size_t   end   = (total + 8) / BLOCK * BLOCK + BLOCK;
    for (unsigned i = 0; i < 8; i++) {
        state[i] = initial[i];
    }
    for (size_t i = 0; i < end - 8; i++) {
        unsigned at = i % BLOCK / 4;
        w[at]       = w[at] << 8 | byte_at(message, size, tail, tail_size, i);
        if (i % BLOCK == BLOCK - 1) {
            compress(state, w);
        }
    }
    w[14] = (uint32_t)((uint64_t)total >> 29);
    w[15] = (uint32_t)(total << 3);
    compress(state, w);
    for (unsigned i = 0; i < 8; i++) {
        store32_be(digest + 4 * i, state[i]);
    }
    wipe(state, sizeof state);
    wipe(w, sizeof w);
}
