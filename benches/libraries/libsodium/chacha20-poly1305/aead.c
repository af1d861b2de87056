/* libsodium's ChaCha20-Poly1305, in our order of arguments. */

#include "crypto_aead_chacha20poly1305.h"

void chacha20_poly1305_seal(const unsigned char key[32], const unsigned char nonce[12], const unsigned char *ad,
                            size_t ad_size, const unsigned char *text, size_t text_size, unsigned char *result)
{
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(result, result + text_size, NULL, text, text_size, ad, ad_size,
                                                       NULL, nonce, key);
}

int chacha20_poly1305_open(const unsigned char key[32], const unsigned char nonce[12], const unsigned char *ad,
                           size_t ad_size, const unsigned char *text, size_t text_size, unsigned char *result)
{
    text_size -= 16;
    return crypto_aead_chacha20poly1305_ietf_decrypt_detached(result, NULL, text, text_size, text + text_size, ad,
                                                              ad_size, nonce, key);
}
