/* Keccak-f[1600] (FIPS 202, 3.3), 64-bit lanes, again and again. */
#include "kernel.h"

static uint64_t left(uint64_t x, int n) { return n ? x << n | x >> (64 - n) : x; }

/* The round constants' bits, from the shift register of FIPS 202, algorithm 5. */
static int constant_bit(uint8_t *r) {
    int bit = *r & 1;
    *r = (uint8_t)(*r << 1 ^ (*r >> 7) * 0x71);
    return bit;
}

static void permute(uint64_t s[25]) {
    uint8_t r = 1;
    for (int round = 0; round < 24; round++) {
        uint64_t c[5], b[25];
        for (int x = 0; x < 5; x++) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
        for (int x = 0; x < 5; x++) {
            uint64_t d = c[(x + 4) % 5] ^ left(c[(x + 1) % 5], 1);
            for (int y = 0; y < 25; y += 5) s[x + y] ^= d;
        }
        int x = 1, y = 0;
        b[0] = s[0];
        for (int t = 0, n = 1; t < 24; t++, n += t + 1) {
            int above = (2 * x + 3 * y) % 5;
            b[y + 5 * above] = left(s[x + 5 * y], n % 64);
            x = y; y = above;
        }
        for (int i = 0; i < 25; i += 5)
            for (int j = 0; j < 5; j++) s[i + j] = b[i + j] ^ (~b[i + (j + 1) % 5] & b[i + (j + 2) % 5]);
        for (int j = 0; j < 7; j++) s[0] ^= (uint64_t)constant_bit(&r) << ((1 << j) - 1);
    }
}

uint32_t kernel(uint32_t rounds) {
    uint64_t s[25] = {0};
    for (uint32_t round = 0; round < rounds; round++) permute(s);
    return (uint32_t)s[0];
}
