/* ChaCha20-Poly1305 on whole blocks (RFC 8439, section 2.8). */

#include "chacha20_poly1305.h"

#include "chacha20_block.h"
#include "poly1305.h"
#include "wiping.h"

/* Values derived from key and nonce; only words, so that it can be wiped word by word. */
typedef struct {
    uint32_t input[CHACHA20_WORDS];
    uint32_t block[CHACHA20_WORDS];
    POLY1305 mac;
} STATE;

static void wipe_words(STATE *state)
{
    volatile uint32_t *at = (volatile uint32_t *)(void *)state;
    for (unsigned i = 0; i < sizeof *state / sizeof *at; i++) {
        at[i] = 0;
    }
}

/* Computes a block of key stream. Returns its stack depth, as the following functions do. */
static NOINLINE uintptr_t fill(STATE *state)
{
    uint8_t *bytes = (uint8_t *)state->block;
    for (unsigned i = 0; i < CHACHA20_WORDS; i++) {
        state->block[i] = 0;
    }
    return no_tail_call(chacha20_block(state->input, bytes, bytes));
}

/* Block 0 of the key stream is the key of Poly1305; the text begins with block 1. */
static inline uintptr_t start(STATE *state, const uint8_t *key, const uint8_t *nonce)
{
    chacha20_start(state->input, key, nonce);
    uintptr_t depth = fill(state);
    poly1305_init(&state->mac, (const uint8_t *)state->block);
    return depth;
}

static NOINLINE uintptr_t crypt(STATE *state, const uint8_t *text, size_t size, uint8_t *result)
{
    uintptr_t depth = stack_depth();
    for (; size >= CHACHA20_BLOCK_BYTES; size -= CHACHA20_BLOCK_BYTES) {
        depth = chacha20_block(state->input, text, result);
        text += CHACHA20_BLOCK_BYTES;
        result += CHACHA20_BLOCK_BYTES;
    }
    if (size > 0) {
        const uint8_t *block = (const uint8_t *)state->block;
        depth                = deeper(depth, fill(state));
        for (unsigned i = 0; i < size; i++) {
            result[i] = text[i] ^ block[i];
        }
    }
    return no_tail_call(depth);
}

static NOINLINE uintptr_t authenticate(POLY1305 *mac, const uint8_t *ad, size_t ad_size, const uint8_t *text,
                                       size_t text_size, uint8_t *tag)
{
    uint8_t sizes[16];
    store64_le(sizes, ad_size);
    store64_le(sizes + 8, text_size);
    poly1305_update(mac, ad, ad_size);
    poly1305_update(mac, text, text_size);
    uintptr_t depth = poly1305_update(mac, sizes, sizeof sizes);
    poly1305_final(mac, tag);
    return no_tail_call(depth);
}

void chacha20_poly1305_seal(const uint8_t key[CHACHA20_POLY1305_KEY_BYTES],
                            const uint8_t nonce[CHACHA20_POLY1305_NONCE_BYTES], const uint8_t *ad,
                            size_t ad_size, const uint8_t *text, size_t text_size, uint8_t *result)
{
    STATE state;
    uintptr_t depth = start(&state, key, nonce);
    depth = deeper(depth, crypt(&state, text, text_size, result));
    uintptr_t other = authenticate(&state.mac, ad, ad_size, result, text_size, result + text_size);
    wipe_words(&state);
    wipe_below(deeper(depth, other));
}

int chacha20_poly1305_open(const uint8_t key[CHACHA20_POLY1305_KEY_BYTES],
                           const uint8_t nonce[CHACHA20_POLY1305_NONCE_BYTES], const uint8_t *ad,
                           size_t ad_size, const uint8_t *text, size_t text_size, uint8_t *result)
{
    STATE    state;
    uint8_t  tag[CHACHA20_POLY1305_TAG_BYTES];
    uint32_t wrong = 0;
    if (text_size < CHACHA20_POLY1305_TAG_BYTES) {
        return -1;
    }
    text_size -= CHACHA20_POLY1305_TAG_BYTES;
    uintptr_t depth = start(&state, key, nonce);
    depth = deeper(depth, authenticate(&state.mac, ad, ad_size, text, text_size, tag));
    for (unsigned i = 0; i < CHACHA20_POLY1305_TAG_BYTES; i++) {
        wrong |= (uint32_t)(tag[i] ^ text[text_size + i]);
    }
    wrong = revealed(wrong);
    if (wrong == 0) {
        depth = deeper(depth, crypt(&state, text, text_size, result));
    } else {
        wipe(result, text_size);
        /* The correct tag must not leak after a failed verification. */
        wipe(tag, sizeof tag);
    }
    wipe_words(&state);
    wipe_below(depth);
    return wrong == 0 ? 0 : -1;
}
