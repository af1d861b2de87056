/* Helpers of encryption and decryption: load and store of a block, and round keys computed on the fly. */

#ifndef ARIA_CRYPT_H
#define ARIA_CRYPT_H

#include "aria_round.h"
#include "aria_schedule.h"

static inline void aria_load(uint32_t state[4], const uint8_t text[16])
{
    for (unsigned i = 0; i < 4; i++) {
        state[i] = load32_be(text + 4 * i);
    }
}

static inline void aria_store(const uint32_t state[4], uint8_t result[16])
{
    for (unsigned i = 0; i < 4; i++) {
        store32_be(result + 4 * i, state[i]);
    }
}

static inline void aria_add_round_key(uint32_t state[4], const ARIA_KEYS *keys, unsigned round)
{
    for (unsigned i = 0; i < 4; i++) {
        state[i] ^= aria_key_part(keys->words, round, i);
    }
}

#endif
