/* ChaCha20 block by block (RFC 8439, section 2.4). */

#include "chacha20_block.h"
#include "wiping.h"

void chacha20_init(CHACHA20 *state, const uint8_t key[CHACHA20_KEY_BYTES],
                   const uint8_t nonce[CHACHA20_NONCE_BYTES])
{
    chacha20_start(state->input, key, nonce);
    state->used = CHACHA20_BLOCK_BYTES;
    wipe_registers();
}

/* Computes a block of key stream into the state, as bytes. Returns its stack depth. */
static inline uintptr_t fill(CHACHA20 *state)
{
    uint8_t *bytes = (uint8_t *)state->block;
    for (unsigned i = 0; i < CHACHA20_WORDS; i++) {
        state->block[i] = 0;
    }
    state->used = 0;
    return chacha20_block(state->input, bytes, bytes);
}

void chacha20_crypt(CHACHA20 *state, const uint8_t *text, uint8_t *result, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)state->block;
    uintptr_t      depth = stack_depth();
    for (; size > 0 && state->used < CHACHA20_BLOCK_BYTES; size--) {
        *result++ = *text++ ^ bytes[state->used++];
    }
    for (; size >= CHACHA20_BLOCK_BYTES; size -= CHACHA20_BLOCK_BYTES) {
        depth = chacha20_block(state->input, text, result);
        text += CHACHA20_BLOCK_BYTES;
        result += CHACHA20_BLOCK_BYTES;
    }
    if (size > 0) {
        depth = deeper(depth, fill(state));
        for (; size > 0; size--) {
            *result++ = *text++ ^ bytes[state->used++];
        }
    }
    wipe_below(depth);
}
