/* Monocypher's ChaCha20 as a stream cipher: texts begin at whole blocks. */

#include "monocypher_chacha20.h"

void chacha20_init(MONOCYPHER_CHACHA20 *state, const uint8_t key[32], const uint8_t nonce[12])
{
    memcpy(state->key, key, sizeof state->key);
    memcpy(state->nonce, nonce, sizeof state->nonce);
    state->counter = 0;
}

void chacha20_crypt(MONOCYPHER_CHACHA20 *state, const uint8_t *text, uint8_t *result, size_t size)
{
    state->counter = crypto_chacha20_ietf(result, text, size, state->key, state->nonce, state->counter);
}
