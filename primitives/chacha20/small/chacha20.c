/* ChaCha20 in little code, the key stream byte by byte (RFC 8439, section 2.4). */

#include "chacha20_block.h"
#include "wiping.h"

__attribute__((noinline)) static void load(uint32_t *words, const uint8_t *bytes, unsigned number)
{
    while (number-- > 0) {
        words[number] = load32_le(bytes + 4 * number);
    }
}

void chacha20_init(CHACHA20 *state, const uint8_t key[CHACHA20_KEY_BYTES],
                   const uint8_t nonce[CHACHA20_NONCE_BYTES])
{
    load(state->input, (const uint8_t *)"expand 32-byte k", 4);
    load(state->input + 4, key, 8);
    load(state->input + 13, nonce, 3);
    state->input[12] = 0;
    state->used      = CHACHA20_BLOCK_BYTES;
    wipe_registers();
}

void chacha20_crypt(CHACHA20 *state, const uint8_t *text, uint8_t *result, size_t size)
{
    uintptr_t depth = stack_depth();
    for (; size > 0; size--) {
        if (state->used == CHACHA20_BLOCK_BYTES) {
            depth = chacha20_block(state);
        }
        *result++ = *text++ ^ (uint8_t)(state->block[state->used / 4] >> 8 * (state->used % 4));
        state->used++;
    }
    wipe_below(depth);
}
