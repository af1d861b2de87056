/* Ascon-AEAD128 byte by byte, with one loop for all data (NIST SP 800-232, section 4.1). */

#include "ascon_aead128.h"

#include "ascon.h"
#include "wiping.h"

typedef enum { ABSORB, ENCRYPT, DECRYPT } MODE;

/* Adds the key to four half words of the state, from index `first` on. */
__attribute__((noinline)) static void add_key(ASCON_STATE *state, unsigned first, const uint8_t *key)
{
    for (unsigned i = 0; i < 4; i++) {
        state->w[first + i] ^= load32_le(key + 4 * i);
    }
}

static uintptr_t start(ASCON_STATE *state, const uint8_t *key, const uint8_t *nonce)
{
    wipe(state, sizeof *state);
    state->w[0] = ASCON_AEAD128_IV_LOW;
    state->w[1] = ASCON_AEAD128_IV_HIGH;
    add_key(state, 2, key);
    add_key(state, 6, nonce);
    uintptr_t depth = ascon_permute(state, 12);
    add_key(state, 6, key);
    return depth;
}

/* Absorbs data with the padding of the last block, and outputs the encrypted or decrypted text. */
static void process(ASCON_STATE *state, MODE mode, const uint8_t *data, size_t size, uint8_t *result)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = data[i];
        uint8_t sum  = ascon_add_byte(state, i % ASCON_AEAD128_RATE, byte);
        if (mode != ABSORB) {
            result[i] = sum;
        }
        if (mode == DECRYPT) {
            ascon_add_byte(state, i % ASCON_AEAD128_RATE, sum ^ byte);
        }
        if (i % ASCON_AEAD128_RATE == ASCON_AEAD128_RATE - 1) {
            ascon_permute(state, 8);
        }
    }
    ascon_add_byte(state, size % ASCON_AEAD128_RATE, 1);
}

/* Outputs the tag or, for decryption, compares it; returns the bits that differ. */
static uint32_t finish(ASCON_STATE *state, MODE mode, const uint8_t *key, const uint8_t *text,
                       uint8_t *result)
{
    uint32_t wrong = 0;
    add_key(state, 4, key);
    ascon_permute(state, 12);
    add_key(state, 6, key);
    for (unsigned i = 24; i < 24 + ASCON_AEAD128_TAG_BYTES; i++) {
        if (mode == ENCRYPT) {
            *result++ = ascon_add_byte(state, i, 0);
        } else {
            wrong |= ascon_add_byte(state, i, *text++);
        }
    }
    wipe(state, sizeof *state);
    return wrong;
}

/* Runs the loop twice, for the associated data and the text, or once if there is no associated data. */
static int run(const uint8_t *key, const uint8_t *nonce, const uint8_t *data, size_t size,
               const uint8_t *text, size_t text_size, uint8_t *result, MODE last)
{
    ASCON_STATE state;
    uintptr_t depth = start(&state, key, nonce);
    for (MODE mode = size > 0 ? ABSORB : last;; mode = last) {
        if (mode != ABSORB) {
            state.w[9] ^= 0x80000000;
            data = text;
            size = text_size;
        }
        process(&state, mode, data, size, result);
        if (mode != ABSORB) {
            break;
        }
        depth = deeper(depth, ascon_permute(&state, 8));
    }
    uint32_t wrong = revealed(finish(&state, last, key, text + text_size, result + text_size));
    if (wrong != 0) {
        wipe(result, text_size);
    }
    wipe_below(depth);
    return wrong == 0 ? 0 : -1;
}

void ascon_aead128_seal(const uint8_t key[ASCON_AEAD128_KEY_BYTES],
                        const uint8_t nonce[ASCON_AEAD128_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                        const uint8_t *text, size_t text_size, uint8_t *result)
{
    (void)run(key, nonce, ad, ad_size, text, text_size, result, ENCRYPT);
}

int ascon_aead128_open(const uint8_t key[ASCON_AEAD128_KEY_BYTES],
                       const uint8_t nonce[ASCON_AEAD128_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                       const uint8_t *text, size_t text_size, uint8_t *result)
{
    if (text_size < ASCON_AEAD128_TAG_BYTES) {
        return -1;
    }
    return run(key, nonce, ad, ad_size, text, text_size - ASCON_AEAD128_TAG_BYTES, result, DECRYPT);
}
