/* mbedTLS's ChaCha20-Poly1305, from the key to the tag in one call. */

#include "mbedtls/chachapoly.h"

void chacha20_poly1305_seal(const unsigned char key[32], const unsigned char nonce[12], const unsigned char *ad,
                            size_t ad_size, const unsigned char *text, size_t text_size, unsigned char *result)
{
    mbedtls_chachapoly_context context;

    mbedtls_chachapoly_init(&context);
    mbedtls_chachapoly_setkey(&context, key);
    mbedtls_chachapoly_encrypt_and_tag(&context, text_size, nonce, ad, ad_size, text, result, result + text_size);
    mbedtls_chachapoly_free(&context);
}

int chacha20_poly1305_open(const unsigned char key[32], const unsigned char nonce[12], const unsigned char *ad,
                           size_t ad_size, const unsigned char *text, size_t text_size, unsigned char *result)
{
    mbedtls_chachapoly_context context;
    int                        failed;

    text_size -= 16;
    mbedtls_chachapoly_init(&context);
    mbedtls_chachapoly_setkey(&context, key);
    failed = mbedtls_chachapoly_auth_decrypt(&context, text_size, nonce, ad, ad_size, text + text_size, text, result);
    mbedtls_chachapoly_free(&context);
    return failed ? -1 : 0;
}
