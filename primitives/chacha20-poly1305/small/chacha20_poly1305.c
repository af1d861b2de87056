/* ChaCha20-Poly1305 composed of its two parts (RFC 8439, section 2.8). */

#include "chacha20_poly1305.h"

#include "chacha20_block.h"
#include "poly1305.h"
#include "wiping.h"

typedef struct {
    CHACHA20 cipher;
    POLY1305 mac;
} STATE;

/* Block 0 of the key stream is the key of Poly1305; the text begins with block 1. */
static void start(STATE *state, const uint8_t *key, const uint8_t *nonce)
{
    chacha20_init(&state->cipher, key, nonce);
    chacha20_block(&state->cipher);
    poly1305_init(&state->mac, state->cipher.block);
    state->cipher.used = CHACHA20_BLOCK_BYTES;
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t authenticate(POLY1305 *mac, const uint8_t *ad, size_t ad_size, const uint8_t *text,
                                       size_t text_size, uint8_t *tag)
{
    uint32_t sizes[POLY1305_WORDS] = {
        (uint32_t)ad_size, (uint32_t)((uint64_t)ad_size >> 32),
        (uint32_t)text_size, (uint32_t)((uint64_t)text_size >> 32), 1,
    };
    uintptr_t depth = poly1305_update(mac, ad, ad_size);
    depth           = deeper(depth, poly1305_update(mac, text, text_size));
    depth           = deeper(depth, poly1305_block(mac, sizes));
    poly1305_final(mac, tag);
    return no_tail_call(depth);
}

/* Seals or opens; only sealing encrypts before it authenticates, and outputs the tag. */
static int run(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_size,
               const uint8_t *text, size_t text_size, uint8_t *result, int sealing)
{
    STATE    state;
    uint8_t  tag[CHACHA20_POLY1305_TAG_BYTES];
    uint32_t wrong = 0;
    start(&state, key, nonce);
    if (sealing) {
        chacha20_crypt(&state.cipher, text, result, text_size);
        text = result;
    }
    uintptr_t depth = authenticate(&state.mac, ad, ad_size, text, text_size, tag);
    for (unsigned i = 0; i < CHACHA20_POLY1305_TAG_BYTES; i++) {
        if (sealing) {
            result[text_size + i] = tag[i];
        } else {
            wrong |= (uint32_t)(tag[i] ^ text[text_size + i]);
        }
    }
    wrong = revealed(wrong);
    if (wrong != 0) {
        wipe(result, text_size);
        /* The correct tag must not leak after a failed verification. */
        wipe(tag, sizeof tag);
    } else if (!sealing) {
        chacha20_crypt(&state.cipher, text, result, text_size);
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
