/* Monocypher's streams of messages, the first of which is as RFC 8439 has it. */

#include "monocypher.h"

void chacha20_poly1305_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *ad, size_t ad_size,
                            const uint8_t *text, size_t text_size, uint8_t *result)
{
    crypto_aead_ctx context;

    crypto_aead_init_ietf(&context, key, nonce);
    crypto_aead_write(&context, result, result + text_size, ad, ad_size, text, text_size);
    crypto_wipe(&context, sizeof context);
}

int chacha20_poly1305_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *ad, size_t ad_size,
                           const uint8_t *text, size_t text_size, uint8_t *result)
{
    crypto_aead_ctx context;
    int             failed;

    text_size -= 16;
    crypto_aead_init_ietf(&context, key, nonce);
    failed = crypto_aead_read(&context, result, text + text_size, ad, ad_size, text, text_size);
    crypto_wipe(&context, sizeof context);
    /* What is refused is not left as it was: the interface asks for zeros. */
    if (failed) {
        crypto_wipe(result, text_size);
    }
    return failed;
}
