/* The compression function as in the standard (FIPS 180-4, section 6.2.2). */

#include "sha256.h"

static uint32_t right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

void sha256_compress(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    uint32_t w[64];
    uint32_t v[SHA256_WORDS];
    for (unsigned t = 0; t < 16; t++) {
        w[t] = sha256_load(block + 4 * t);
    }
    for (unsigned t = 16; t < 64; t++) {
        uint32_t low  = right(w[t - 15], 7) ^ right(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t high = right(w[t - 2], 17) ^ right(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t]          = high + w[t - 7] + low + w[t - 16];
    }
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        v[i] = state[i];
    }
    for (unsigned t = 0; t < 64; t++) {
        uint32_t sum1   = right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1     = v[7] + sum1 + choice + sha256_constant[t] + w[t];
        uint32_t sum0   = right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22);
        uint32_t most   = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        for (unsigned i = SHA256_WORDS - 1; i > 0; i--) {
            v[i] = v[i - 1];
        }
        v[4] += t1;
        v[0] = t1 + sum0 + most;
    }
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        state[i] += v[i];
    }
}
