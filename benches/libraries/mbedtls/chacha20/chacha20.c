/* mbedTLS's set-up of ChaCha20, in one call. */

#include "mbedtls/chacha20.h"

void chacha20_init(mbedtls_chacha20_context *state, const unsigned char key[32], const unsigned char nonce[12])
{
    mbedtls_chacha20_init(state);
    mbedtls_chacha20_setkey(state, key);
    mbedtls_chacha20_starts(state, nonce, 0);
}
