#include "checksum.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static uint32_t big_endian(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* One block of 64 bytes; `first` begins a message. */
static void sha256_block(uint32_t state[8], const uint8_t block[64], int first)
{
    static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    uint32_t w[64], s[8];
    if (first) {
        memcpy(state, start, sizeof start);
    }
    for (int t = 0; t < 16; t++) {
        w[t] = big_endian(block + 4 * t);
    }
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[t - 7]
             + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int t = 0; t < 64; t++) {
        uint32_t sum1 = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25);
        uint32_t sum0 = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22);
        uint32_t one  = s[7] + sum1 + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + constants[t] + w[t];
        uint32_t two  = sum0 + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int at = 0; at < 8; at++) {
        state[at] += s[at];
    }
}

void checksum(const uint8_t *message, size_t size, uint8_t digest[32])
{
    uint32_t state[8];
    uint8_t  last[128] = { 0 };
    size_t   rest = size % 64, padded = rest < 56 ? 64 : 128;
    for (size_t at = 0; at + 64 <= size; at += 64) {
        sha256_block(state, message + at, at == 0);
    }
    memcpy(last, message + size - rest, rest);
    last[rest] = 0x80;
    for (int at = 0; at < 4; at++) {
        last[padded - 1 - (size_t)at] = (uint8_t)((uint32_t)size * 8 >> 8 * at);
    }
    for (size_t at = 0; at < padded; at += 64) {
        sha256_block(state, last + at, size < 64 && at == 0);
    }
    for (int at = 0; at < 32; at++) {
        digest[at] = (uint8_t)(state[at / 4] >> (24 - 8 * (at % 4)));
    }
}
