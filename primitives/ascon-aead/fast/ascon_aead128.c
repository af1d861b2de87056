/* Ascon-AEAD128 block by block (NIST SP 800-232, section 4.1). */

#include "ascon_aead128.h"

#include "ascon.h"
#include "ascon_words.h"
#include "wiping.h"

/* Adds the key to four half words of the state, from index `first` on. */
static void add_key(ASCON_STATE *state, unsigned first, const uint8_t *key)
{
    for (unsigned i = 0; i < 4; i++) {
        state->w[first + i] ^= load32_le(key + 4 * i);
    }
}

static inline uintptr_t absorb(ASCON_STATE *state, const uint8_t *ad, size_t size)
{
    for (; size >= ASCON_AEAD128_RATE; size -= ASCON_AEAD128_RATE, ad += ASCON_AEAD128_RATE) {
        for (unsigned i = 0; i < 4; i++) {
            state->w[i] ^= load32_le(ad + 4 * i);
        }
        ascon_permute(state, 8);
    }
    ascon_add_byte(state, size, 1);
    while (size-- > 0) {
        ascon_add_byte(state, size, ad[size]);
    }
    return ascon_permute(state, 8);
}

/* Initialization and associated data. Returns its stack depth, as all functions here do that permute the state. */
static uintptr_t start(ASCON_STATE *state, const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                       size_t ad_size)
{
    state->w[0] = ASCON_AEAD128_IV_LOW;
    state->w[1] = ASCON_AEAD128_IV_HIGH;
    for (unsigned i = 0; i < 4; i++) {
        state->w[2 + i] = load32_le(key + 4 * i);
        state->w[6 + i] = load32_le(nonce + 4 * i);
    }
    uintptr_t depth = ascon_permute(state, 12);
    add_key(state, 6, key);
    if (ad_size > 0) {
        depth = deeper(depth, absorb(state, ad, ad_size));
    }
    state->w[9] ^= 0x80000000;
    return depth;
}

/* Finalization; leaves the tag in S3 and S4. */
static uintptr_t finish(ASCON_STATE *state, const uint8_t *key)
{
    add_key(state, 4, key);
    uintptr_t depth = ascon_permute(state, 12);
    add_key(state, 6, key);
    return depth;
}

static inline void encrypt_block(ASCON_STATE *state, const uint8_t *text, uint8_t *result)
{
    if (ascon_are_aligned(text, result)) {
        for (unsigned i = 0; i < 4; i++) {
            state->w[i] ^= ascon_load_aligned(text + 4 * i);
            ascon_store_aligned(result + 4 * i, state->w[i]);
        }
    } else {
        for (unsigned i = 0; i < 4; i++) {
            state->w[i] ^= load32_le(text + 4 * i);
            store32_le(result + 4 * i, state->w[i]);
        }
    }
}

static inline void decrypt_block(ASCON_STATE *state, const uint8_t *text, uint8_t *result)
{
    if (ascon_are_aligned(text, result)) {
        for (unsigned i = 0; i < 4; i++) {
            uint32_t word = ascon_load_aligned(text + 4 * i);
            ascon_store_aligned(result + 4 * i, state->w[i] ^ word);
            state->w[i] = word;
        }
    } else {
        for (unsigned i = 0; i < 4; i++) {
            uint32_t word = load32_le(text + 4 * i);
            store32_le(result + 4 * i, state->w[i] ^ word);
            state->w[i] = word;
        }
    }
}

void ascon_aead128_seal(const uint8_t key[ASCON_AEAD128_KEY_BYTES],
                        const uint8_t nonce[ASCON_AEAD128_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                        const uint8_t *text, size_t text_size, uint8_t *result)
{
    ASCON_STATE state;
    uintptr_t depth = start(&state, key, nonce, ad, ad_size);
    for (; text_size >= ASCON_AEAD128_RATE; text_size -= ASCON_AEAD128_RATE) {
        encrypt_block(&state, text, result);
        ascon_permute(&state, 8);
        text += ASCON_AEAD128_RATE;
        result += ASCON_AEAD128_RATE;
    }
    ascon_add_byte(&state, text_size, 1);
    for (unsigned i = 0; i < text_size; i++) {
        result[i] = ascon_add_byte(&state, i, text[i]);
    }
    depth = deeper(depth, finish(&state, key));
    for (unsigned i = 0; i < 4; i++) {
        store32_le(result + text_size + 4 * i, state.w[6 + i]);
    }
    wipe_aligned(&state, sizeof state);
    wipe_below(depth);
}

int ascon_aead128_open(const uint8_t key[ASCON_AEAD128_KEY_BYTES],
                       const uint8_t nonce[ASCON_AEAD128_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                       const uint8_t *text, size_t text_size, uint8_t *result)
{
    ASCON_STATE state;
    uint8_t    *at    = result;
    uint32_t    wrong = 0;
    if (text_size < ASCON_AEAD128_TAG_BYTES) {
        return -1;
    }
    uintptr_t depth = start(&state, key, nonce, ad, ad_size);
    for (; text_size >= ASCON_AEAD128_RATE + ASCON_AEAD128_TAG_BYTES; text_size -= ASCON_AEAD128_RATE) {
        decrypt_block(&state, text, at);
        ascon_permute(&state, 8);
        text += ASCON_AEAD128_RATE;
        at += ASCON_AEAD128_RATE;
    }
    text_size -= ASCON_AEAD128_TAG_BYTES;
    ascon_add_byte(&state, text_size, 1);
    for (unsigned i = 0; i < text_size; i++) {
        uint8_t was = text[i];
        at[i]       = ascon_add_byte(&state, i, was);
        ascon_add_byte(&state, i, at[i] ^ was);
    }
    depth = deeper(depth, finish(&state, key));
    for (unsigned i = 0; i < 4; i++) {
        wrong |= state.w[6 + i] ^ load32_le(text + text_size + 4 * i);
    }
    wipe_aligned(&state, sizeof state);
    wrong = revealed(wrong);
    if (wrong != 0) {
        wipe(result, (size_t)(at - result) + text_size);
    }
    wipe_below(depth);
    return wrong == 0 ? 0 : -1;
}
