/* LibTomCrypt's ChaCha20-Poly1305, which leaves it to its caller to compare tags. */

#include "tomcrypt.h"

void chacha20_poly1305_seal(const unsigned char key[32], const unsigned char nonce[12], const unsigned char *ad,
                            size_t ad_size, const unsigned char *text, size_t text_size, unsigned char *result)
{
    unsigned long tag_size = 16;

    chacha20poly1305_memory(key, 32, nonce, 12, ad, ad_size, text, text_size, result, result + text_size, &tag_size,
                            CHACHA20POLY1305_ENCRYPT);
}

int chacha20_poly1305_open(const unsigned char key[32], const unsigned char nonce[12], const unsigned char *ad,
                           size_t ad_size, const unsigned char *text, size_t text_size, unsigned char *result)
{
    unsigned long tag_size = 16;
    unsigned char tag[16], differs = 0;

    text_size -= sizeof tag;
    chacha20poly1305_memory(key, 32, nonce, 12, ad, ad_size, text, text_size, result, tag, &tag_size,
                            CHACHA20POLY1305_DECRYPT);
    for (size_t index = 0; index < sizeof tag; index++)
        differs |= tag[index] ^ text[text_size + index];
    if (!differs)
        return 0;
    memset(result, 0, text_size);
    return -1;
}
