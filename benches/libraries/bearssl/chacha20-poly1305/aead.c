/* BearSSL's ChaCha20-Poly1305; RUN is one of its ways to code it. */

#include "inner.h"

void chacha20_poly1305_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *ad, size_t ad_size,
                            const uint8_t *text, size_t text_size, uint8_t *result)
{
    memmove(result, text, text_size);
    RUN(key, nonce, result, text_size, ad, ad_size, result + text_size, br_chacha20_ct_run, 1);
}

int chacha20_poly1305_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *ad, size_t ad_size,
                           const uint8_t *text, size_t text_size, uint8_t *result)
{
    uint8_t tag[16], differs = 0;

    text_size -= sizeof tag;
    memmove(result, text, text_size);
    RUN(key, nonce, result, text_size, ad, ad_size, tag, br_chacha20_ct_run, 0);
    for (size_t index = 0; index < sizeof tag; index++)
        differs |= tag[index] ^ text[text_size + index];
    if (!differs)
        return 0;
    memset(result, 0, text_size);
    return -1;
}
