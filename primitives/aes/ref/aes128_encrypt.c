/* Encryption of a block, byte by byte as in the standard (FIPS 197, section 5.1). The addresses of its look-ups depend
 * on the key: do not use it on devices with a data cache. */

#include "aes128.h"

static void add_round_key(uint8_t state[AES128_BYTES], const uint32_t *key)
{
    for (unsigned i = 0; i < 4; i++) {
        aes128_store(state + 4 * i, aes128_load(state + 4 * i) ^ key[i]);
    }
}

/* SubBytes and ShiftRows. */
static void substitute_and_shift(uint8_t state[AES128_BYTES])
{
    uint8_t was[AES128_BYTES];
    for (unsigned i = 0; i < AES128_BYTES; i++) {
        was[i] = aes128_sbox[state[i]];
    }
    for (unsigned i = 0; i < AES128_BYTES; i++) {
        state[i] = was[(i + 4 * (i % 4)) % AES128_BYTES];
    }
}

static uint8_t doubled(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

static void mix_columns(uint8_t state[AES128_BYTES])
{
    for (uint8_t *column = state; column < state + AES128_BYTES; column += 4) {
        uint8_t all   = column[0] ^ column[1] ^ column[2] ^ column[3];
        uint8_t first = column[0];
        for (unsigned i = 0; i < 4; i++) {
            uint8_t next = i < 3 ? column[i + 1] : first;
            column[i] ^= all ^ doubled(column[i] ^ next);
        }
    }
}

void aes128_encrypt(const AES128_KEYS *keys, const uint8_t text[AES128_BYTES],
                    uint8_t result[AES128_BYTES])
{
    uint8_t state[AES128_BYTES];
    for (unsigned i = 0; i < AES128_BYTES; i++) {
        state[i] = text[i];
    }
    add_round_key(state, keys->w);
    for (unsigned round = 1; round < AES128_ROUNDS; round++) {
        substitute_and_shift(state);
        mix_columns(state);
        add_round_key(state, keys->w + 4 * round);
    }
    substitute_and_shift(state);
    add_round_key(state, keys->w + 4 * AES128_ROUNDS);
    for (unsigned i = 0; i < AES128_BYTES; i++) {
        result[i] = state[i];
    }
}
