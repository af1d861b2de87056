/* ChaCha20-Poly1305 with only a block, the accumulator and r in memory (RFC 8439, section 2.8). */

#include "chacha20_poly1305.h"

#include "chacha20_block.h"
#include "poly1305.h"
#include "wiping.h"

typedef struct {
    uint32_t x[CHACHA20_WORDS];
    POLY1305 mac;
} STATE;

/* Encrypts or decrypts the text, from block 1 of the key stream on. Returns its stack depth, as the next function
 * does. */
static NOINLINE uintptr_t crypt(STATE *state, const uint8_t *key, const uint8_t *nonce, const uint8_t *text,
                                size_t size, uint8_t *result)
{
    uintptr_t depth = stack_depth();
    for (uint32_t counter = 1; size > 0; counter++) {
        size_t part = size < CHACHA20_BLOCK_BYTES ? size : CHACHA20_BLOCK_BYTES;
        depth = chacha20_block(state->x, key, counter, nonce);
        chacha20_add(state->x, 0, text, result, part);
        text += part;
        result += part;
        size -= part;
    }
    return no_tail_call(depth);
}

/* Computes the tag. Block 0 of the key stream begins with the key of Poly1305, r and s; s is needed only at the end,
 * and is then computed again. */
static NOINLINE uintptr_t authenticate(STATE *state, const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                                       size_t ad_size, const uint8_t *text, size_t text_size)
{
    uint8_t *sizes = (uint8_t *)state->x;
    chacha20_block(state->x, key, 0, nonce);
    poly1305_init(&state->mac, state->x);
    poly1305_update(&state->mac, ad, ad_size);
    poly1305_update(&state->mac, text, text_size);
    store64_le(sizes, ad_size);
    store64_le(sizes + 8, text_size);
    uintptr_t depth = poly1305_update(&state->mac, sizes, POLY1305_BLOCK_BYTES);
    depth           = deeper(depth, chacha20_block(state->x, key, 0, nonce));
    poly1305_final(&state->mac, state->x + POLY1305_KEY_WORDS);
    return no_tail_call(depth);
}

/* Seals or opens; only sealing encrypts before it authenticates, and outputs the tag. */
static int run(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_size,
               const uint8_t *text, size_t text_size, uint8_t *result, int sealing)
{
    STATE    state;
    uint32_t wrong = 0;
    uintptr_t depth = stack_depth();
    if (sealing) {
        depth = crypt(&state, key, nonce, text, text_size, result);
        text = result;
    }
    depth = deeper(depth, authenticate(&state, key, nonce, ad, ad_size, text, text_size));
    for (unsigned i = 0; i < CHACHA20_POLY1305_TAG_BYTES; i++) {
        uint8_t tag = (uint8_t)(state.mac.h[i / 4] >> 8 * (i % 4));
        if (sealing) {
            result[text_size + i] = tag;
        } else {
            wrong |= (uint32_t)(tag ^ text[text_size + i]);
        }
    }
    wrong = revealed(wrong);
    if (wrong != 0) {
        wipe(result, text_size);
    } else if (!sealing) {
        depth = deeper(depth, crypt(&state, key, nonce, text, text_size, result));
    }
    wipe(&state, sizeof state);
    wipe_below(depth);
    return wrong == 0 ? 0 : -1;
}

void chacha20_poly1305_seal(const uint8_t key[CHACHA20_POLY1305_KEY_BYTES],
                            const uint8_t nonce[CHACHA20_POLY1305_NONCE_BYTES], const uint8_t *ad,
                            size_t ad_size, const uint8_t *text, size_t text_size, uint8_t *result)
{
    (void)run(key, nonce, ad, ad_size, text, text_size, result, 1);
}

int chacha20_poly1305_open(const uint8_t key[CHACHA20_POLY1305_KEY_BYTES],
                           const uint8_t nonce[CHACHA20_POLY1305_NONCE_BYTES], const uint8_t *ad,
                           size_t ad_size, const uint8_t *text, size_t text_size, uint8_t *result)
{
    if (text_size < CHACHA20_POLY1305_TAG_BYTES) {
        return -1;
    }
    return run(key, nonce, ad, ad_size, text, text_size - CHACHA20_POLY1305_TAG_BYTES, result, 0);
}
