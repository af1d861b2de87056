/* AES-128 encryption (FIPS 197), byte by byte with one table of 256 bytes, of its own output. */
#include "kernel.h"

static uint8_t sbox[256], keys[176];

static uint8_t times2(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }

/* The S-box by its definition: 3 generates the field, so inverses come by walking both ways. */
static void make_sbox(void) {
    uint8_t p = 1, q = 1;
    do {
        p = (uint8_t)(p ^ times2(p));
        q ^= (uint8_t)(q << 1); q ^= (uint8_t)(q << 2); q ^= (uint8_t)(q << 4);
        if (q & 0x80) q ^= 0x09;
        uint8_t x = q;
        for (int i = 1; i < 5; i++) x ^= (uint8_t)(q << i | q >> (8 - i));
        sbox[p] = x ^ 0x63;
    } while (p != 1);
    sbox[0] = 0x63;
}

static void expand(const uint8_t key[16]) {
    uint8_t constant = 1;
    for (int i = 0; i < 16; i++) keys[i] = key[i];
    for (int i = 16; i < 176; i += 4) {
        uint8_t t[4] = {keys[i - 4], keys[i - 3], keys[i - 2], keys[i - 1]};
        if (i % 16 == 0) {
            uint8_t first = t[0];
            t[0] = sbox[t[1]] ^ constant; t[1] = sbox[t[2]]; t[2] = sbox[t[3]]; t[3] = sbox[first];
            constant = times2(constant);
        }
        for (int j = 0; j < 4; j++) keys[i + j] = keys[i + j - 16] ^ t[j];
    }
}

static void add_key(uint8_t s[16], const uint8_t *key) {
    for (int i = 0; i < 16; i++) s[i] ^= key[i];
}

static void substitute_and_shift(uint8_t s[16]) {
    uint8_t t[16];
    for (int i = 0; i < 16; i++) t[i] = sbox[s[(i + 4 * (i % 4)) % 16]];
    for (int i = 0; i < 16; i++) s[i] = t[i];
}

static void mix(uint8_t s[16]) {
    for (int c = 0; c < 16; c += 4) {
        uint8_t a = s[c], all = s[c] ^ s[c + 1] ^ s[c + 2] ^ s[c + 3];
        s[c]     ^= all ^ times2(s[c] ^ s[c + 1]);
        s[c + 1] ^= all ^ times2(s[c + 1] ^ s[c + 2]);
        s[c + 2] ^= all ^ times2(s[c + 2] ^ s[c + 3]);
        s[c + 3] ^= all ^ times2(s[c + 3] ^ a);
    }
}

static void encrypt(uint8_t s[16]) {
    add_key(s, keys);
    for (int round = 1; round < 10; round++) {
        substitute_and_shift(s);
        mix(s);
        add_key(s, keys + 16 * round);
    }
    substitute_and_shift(s);
    add_key(s, keys + 160);
}

uint32_t kernel(uint32_t rounds) {
    uint8_t key[16], s[16];
    for (int i = 0; i < 16; i++) { key[i] = (uint8_t)i; s[i] = (uint8_t)(17 * i); }
    make_sbox();
    expand(key);
    for (uint32_t round = 0; round < rounds; round++) encrypt(s);
    return (uint32_t)s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
}
