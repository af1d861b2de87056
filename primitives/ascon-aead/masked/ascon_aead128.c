/* Ascon-AEAD128 with its state in two shares (NIST SP 800-232, section 4.1). The caller fills `ascon_random` before each
 * call. Key and texts are not masked in memory; they are added to a state that is. */

#include "ascon_aead128.h"

#include "ascon_masked.h"
#include "wiping.h"

typedef enum { ABSORB, ENCRYPT, DECRYPT } MODE;

/* Adds bytes, four half words, to the state, from index `first` on. */
INLINED void add_words(ASCON_SHARES *state, unsigned first, const uint8_t *bytes)
{
    for (unsigned i = 0; i < 4; i++) {
        state->first.w[first + i] ^= load32_le(bytes + 4 * i);
    }
}

INLINED uintptr_t start(ASCON_SHARES *state, const uint8_t *key, const uint8_t *nonce)
{
    ascon_mask(state);
    state->first.w[0] ^= ASCON_AEAD128_IV_LOW;
    state->first.w[1] ^= ASCON_AEAD128_IV_HIGH;
    add_words(state, 2, key);
    add_words(state, 6, nonce);
    uintptr_t depth = ascon_permute_masked(state, 12);
    add_words(state, 6, key);
    return depth;
}

/* Adds a byte to the state, or in decryption the byte of the text that it becomes. Returns the byte of the result. */
INLINED uint8_t add_byte(ASCON_SHARES *state, MODE mode, unsigned i, uint8_t byte)
{
    uint8_t result = 0;
    if (mode != ABSORB) {
        result = (uint8_t)(ascon_opened(state, i / 4) >> 8 * (i % 4)) ^ byte;
    }
    ascon_add_byte(&state->first, i, mode == DECRYPT ? result : byte);
    return result;
}

/* Absorbs data with the padding of the last block, and outputs the encrypted or decrypted text. Returns its stack depth. */
static NOINLINE uintptr_t process(ASCON_SHARES *state, MODE mode, const uint8_t *data, size_t size, uint8_t *result)
{
    uintptr_t depth = stack_depth();
    for (size_t i = 0; i < size; i++) {
        uint8_t sum = add_byte(state, mode, i % ASCON_AEAD128_RATE, data[i]);
        if (mode != ABSORB) {
            result[i] = sum;
        }
        if (i % ASCON_AEAD128_RATE == ASCON_AEAD128_RATE - 1) {
            depth = deeper(depth, ascon_permute_masked(state, 8));
        }
    }
    ascon_add_byte(&state->first, size % ASCON_AEAD128_RATE, 1);
    return no_tail_call(depth);
}

/* Outputs the tag or, for decryption, compares it; returns the bits that differ. */
INLINED uint32_t finish(ASCON_SHARES *state, MODE mode, const uint8_t *key, const uint8_t *text, uint8_t *result)
{
    uint32_t wrong = 0;
    add_words(state, 4, key);
    ascon_permute_masked(state, 12);
    add_words(state, 6, key);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = ascon_opened(state, 6 + i);
        if (mode == ENCRYPT) {
            store32_le(result + 4 * i, word);
        } else {
            wrong |= word ^ load32_le(text + 4 * i);
        }
    }
    wipe_aligned(state, sizeof *state);
    return wrong;
}

static int run(const uint8_t *key, const uint8_t *nonce, const uint8_t *data, size_t size, const uint8_t *text,
               size_t text_size, uint8_t *result, MODE last)
{
    ASCON_SHARES state;
    uintptr_t    depth = start(&state, key, nonce);
    if (size > 0) {
        depth = deeper(depth, process(&state, ABSORB, data, size, NULL));
        depth = deeper(depth, ascon_permute_masked(&state, 8));
    }
    state.first.w[9] ^= 0x80000000;
    depth          = deeper(depth, process(&state, last, text, text_size, result));
    uint32_t wrong = revealed(finish(&state, last, key, text + text_size, result + text_size));
    if (wrong != 0) {
        wipe(result, text_size);
    }
    wipe_below(depth);
    return wrong == 0 ? 0 : -1;
}

void ascon_aead128_seal(const uint8_t key[ASCON_AEAD128_KEY_BYTES], const uint8_t nonce[ASCON_AEAD128_NONCE_BYTES],
                        const uint8_t *ad, size_t ad_size, const uint8_t *text, size_t text_size, uint8_t *result)
{
    (void)run(key, nonce, ad, ad_size, text, text_size, result, ENCRYPT);
}

int ascon_aead128_open(const uint8_t key[ASCON_AEAD128_KEY_BYTES], const uint8_t nonce[ASCON_AEAD128_NONCE_BYTES],
                       const uint8_t *ad, size_t ad_size, const uint8_t *text, size_t text_size, uint8_t *result)
{
    if (text_size < ASCON_AEAD128_TAG_BYTES) {
        return -1;
    }
    return run(key, nonce, ad, ad_size, text, text_size - ASCON_AEAD128_TAG_BYTES, result, DECRYPT);
}
