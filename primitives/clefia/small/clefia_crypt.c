/* Encryption and decryption of a block (RFC 6114, section 4.2). Word i of a ciphertext is word i + 1 of the state,
 * since the last of the 18 rounds does not rotate the words. */

#include "bytes.h"
#include "clefia.h"
#include "clefia_half.h"
#include "wiping.h"

/* Adds the whitening keys to words 1 and 3 of a plaintext, or of a ciphertext, where they are words 2 and 0 of the
 * state. */
static void whiten(uint32_t state[4], const uint32_t white[4], unsigned cipher)
{
    state[1 + cipher] ^= white[2 * cipher];
    state[3 - 3 * cipher] ^= white[2 * cipher + 1];
}

static void crypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16], unsigned backwards)
{
    uint32_t state[4];
    for (unsigned i = 0; i < 4; i++) {
        state[(i + backwards) & 3] = load32_be(text + 4 * i);
    }
    whiten(state, keys->white, backwards);
    for (unsigned i = 0; i < 2 * CLEFIA_ROUNDS; i++) {
        unsigned number = backwards ? 2 * CLEFIA_ROUNDS - 1 - i : i;
        clefia_half(state, number, keys->round[number]);
    }
    whiten(state, keys->white, 1 - backwards);
    for (unsigned i = 0; i < 4; i++) {
        store32_be(result + 4 * i, state[(i + 1 - backwards) & 3]);
    }
}

void clefia128_encrypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    crypt(keys, text, result, 0);
    wipe_registers();
}

void clefia128_decrypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    crypt(keys, text, result, 1);
    wipe_registers();
}
