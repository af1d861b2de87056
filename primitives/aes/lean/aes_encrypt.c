/* Encryption of a block in place, with round keys computed on the fly (FIPS 197, section 5.1). */

#include "aes_schedule.h"
#include "wiping.h"

static uint8_t doubled(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

static void mix_columns(uint8_t state[AES_BYTES])
{
    for (uint8_t *column = state; column < state + AES_BYTES; column += 4) {
        uint8_t first = column[0];
        uint8_t all   = (uint8_t)(first ^ column[1] ^ column[2] ^ column[3]);
        for (unsigned i = 0; i < 4; i++) {
            uint8_t next = i < 3 ? column[i + 1] : first;
            column[i]    = (uint8_t)(column[i] ^ all ^ doubled((uint8_t)(column[i] ^ next)));
        }
    }
}

/* SubBytes and ShiftRows, a row at a time: each byte moves to the position that the previous move left. */
static void substitute_and_shift(uint8_t state[AES_BYTES])
{
    for (unsigned i = 0; i < AES_BYTES; i++) {
        state[i] = AES(sbox)[state[i]];
    }
    for (unsigned row = 1; row < 4; row++) {
        for (unsigned turn = 0; turn < row; turn++) {
            uint8_t first = state[row];
            for (unsigned at = row; at < 12; at += 4) {
                state[at] = state[at + 4];
            }
            state[row + 12] = first;
        }
    }
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t encrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    uint32_t window[AES_KEY_WORDS];
    for (unsigned i = 0; i < AES_KEY_WORDS; i++) {
        window[i] = load32_le(keys->key + 4 * i);
    }
    for (unsigned i = 0; i < AES_BYTES; i++) {
        result[i] = text[i];
    }
    for (unsigned i = 0;; i++) {
        if (i >= AES_KEY_WORDS) {
            AES(step)(window, i);
        }
        aes_add(result + 4 * (i % 4), window[i % AES_KEY_WORDS]);
        if (i == 4 * AES_ROUNDS + 3) {
            break;
        }
        if (i % 4 == 3) {
            substitute_and_shift(result);
            if (i < 4 * AES_ROUNDS - 1) {
                mix_columns(result);
            }
        }
    }
    return stack_depth();
}

void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(encrypt(keys, text, result));
}
