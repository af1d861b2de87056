/* BearSSL's ChaCha20 as a stream cipher: texts begin at whole blocks. */

#include "bearssl_chacha20.h"

void chacha20_init(BEARSSL_CHACHA20 *state, const uint8_t key[32], const uint8_t nonce[12])
{
    memcpy(state->key, key, sizeof state->key);
    memcpy(state->nonce, nonce, sizeof state->nonce);
    state->counter = 0;
}

void chacha20_crypt(BEARSSL_CHACHA20 *state, const uint8_t *text, uint8_t *result, size_t size)
{
    if (result != text)
        memmove(result, text, size);
    state->counter = br_chacha20_ct_run(state->key, state->nonce, state->counter, result, size);
}
