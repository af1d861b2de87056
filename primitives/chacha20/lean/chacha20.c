/* ChaCha20 without key stream in its state (RFC 8439, section 2.4). */

#include "chacha20_block.h"
#include "wiping.h"

void chacha20_init(CHACHA20 *state, const uint8_t key[CHACHA20_KEY_BYTES],
                   const uint8_t nonce[CHACHA20_NONCE_BYTES])
{
    for (unsigned i = 0; i < CHACHA20_KEY_BYTES; i++) {
        state->key[i] = key[i];
    }
    for (unsigned i = 0; i < CHACHA20_NONCE_BYTES; i++) {
        state->nonce[i] = nonce[i];
    }
    state->counter = 0;
    state->used    = 0;
    wipe_registers();
}

void chacha20_crypt(CHACHA20 *state, const uint8_t *text, uint8_t *result, size_t size)
{
    uint32_t  x[CHACHA20_WORDS];
    uintptr_t depth = stack_depth();
    while (size > 0) {
        uint32_t first = state->used, part = CHACHA20_BLOCK_BYTES - first;
        depth = chacha20_block(x, state->key, state->counter, state->nonce);
        chacha20_add(x, first, text, result, size);
        if (size < part) {
            state->used += (uint32_t)size;
            break;
        }
        state->used = 0;
        state->counter++;
        size -= part;
        text += part;
        result += part;
    }
    wipe(x, sizeof x);
    wipe_below(depth);
}
