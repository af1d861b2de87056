/* Decryption of a block in place (FIPS 197, section 5.3): the key schedule runs forward to its end, and then
 * backward. */

#include "aes_schedule.h"
#include "aes_sbox.h"
#include "wiping.h"

#define BYTE(s) s
static const uint8_t inverse[256] = {AES_INVERSE_SBOX(BYTE)};

static uint8_t doubled(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

/* Preprocessing of each column after which MixColumns computes InvMixColumns. */
static void unmix_columns(uint8_t state[AES_BYTES])
{
    for (uint8_t *column = state; column < state + AES_BYTES; column += 4) {
        uint8_t even = doubled(doubled((uint8_t)(column[0] ^ column[2])));
        uint8_t odd  = doubled(doubled((uint8_t)(column[1] ^ column[3])));
        column[0]    = (uint8_t)(column[0] ^ even);
        column[1]    = (uint8_t)(column[1] ^ odd);
        column[2]    = (uint8_t)(column[2] ^ even);
        column[3]    = (uint8_t)(column[3] ^ odd);
        uint8_t first = column[0];
        uint8_t all   = (uint8_t)(first ^ column[1] ^ column[2] ^ column[3]);
        for (unsigned i = 0; i < 4; i++) {
            uint8_t next = i < 3 ? column[i + 1] : first;
            column[i]    = (uint8_t)(column[i] ^ all ^ doubled((uint8_t)(column[i] ^ next)));
        }
    }
}

static void unshift_and_restore(uint8_t state[AES_BYTES])
{
    for (unsigned row = 1; row < 4; row++) {
        for (unsigned turn = 0; turn < row; turn++) {
            uint8_t last = state[row + 12];
            for (unsigned at = row + 12; at > 3; at -= 4) {
                state[at] = state[at - 4];
            }
            state[row] = last;
        }
    }
    for (unsigned i = 0; i < AES_BYTES; i++) {
        state[i] = inverse[state[i]];
    }
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t decrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    uint32_t window[AES_KEY_WORDS];
    for (unsigned i = 0; i < AES_KEY_WORDS; i++) {
        window[i] = load32_le(keys->key + 4 * i);
    }
    for (unsigned i = AES_KEY_WORDS; i < 4 * (AES_ROUNDS + 1); i++) {
        AES(step)(window, i);
    }
    for (unsigned i = 0; i < AES_BYTES; i++) {
        result[i] = text[i];
    }
    for (unsigned i = 4 * AES_ROUNDS + 3;; i--) {
        aes_add(result + 4 * (i % 4), window[i % AES_KEY_WORDS]);
        if (i == 0) {
            break;
        }
        if (i >= AES_KEY_WORDS) {
            AES(step)(window, i);
        }
        if (i % 4 == 0) {
            if (i < 4 * AES_ROUNDS) {
                unmix_columns(result);
            }
            unshift_and_restore(result);
        }
    }
    return stack_depth();
}

void AES(decrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(decrypt(keys, text, result));
}
