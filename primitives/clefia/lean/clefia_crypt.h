/* A round with round keys computed on the fly, for encryption and decryption (RFC 6114, section 6.2). */

#ifndef CLEFIA_CRYPT_H
#define CLEFIA_CRYPT_H

#include "clefia_round.h"
#include "clefia_schedule.h"

/* The round at `place` 0 or 1 of a pair: its round keys are half of L, the constants and, in odd pairs, half of the
 * key. */
static inline void clefia_keyed_round(uint32_t state[4], unsigned place, const CLEFIA_KEYS *keys,
                                      unsigned pair, uint32_t number, const uint32_t l[4])
{
    uint32_t first  = l[2 * place];
    uint32_t second = l[2 * place + 1];
    if (pair & 1) {
        first  ^= keys->key[2 * place];
        second ^= keys->key[2 * place + 1];
    }
    state[place + 1]       ^= clefia_f(state[place] ^ first, 0, number);
    state[(place + 3) & 3] ^= clefia_f(state[place + 2] ^ second, 1, number);
}

#endif
