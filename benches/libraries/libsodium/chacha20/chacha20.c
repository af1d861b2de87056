/* libsodium's ChaCha20 as a stream cipher: texts begin at whole blocks. */

#include "chacha20_ref.c"

#include "libsodium_chacha20.h"

void chacha20_init(LIBSODIUM_CHACHA20 *state, const uint8_t key[32], const uint8_t nonce[12])
{
    memcpy(state->key, key, sizeof state->key);
    memcpy(state->nonce, nonce, sizeof state->nonce);
    state->counter = 0;
}

void chacha20_crypt(LIBSODIUM_CHACHA20 *state, const uint8_t *text, uint8_t *result, size_t size)
{
    stream_ietf_ext_ref_xor_ic(result, text, size, state->nonce, state->counter, state->key);
    state->counter += (size + 63) / 64;
}
