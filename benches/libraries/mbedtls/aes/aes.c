/* mbedTLS's key schedules of AES, which count a key's bits. */

#include "mbedtls/aes.h"

void aes128_expand(mbedtls_aes_context *keys, const unsigned char key[16])
{
    mbedtls_aes_setkey_enc(keys, key, 128);
}

void aes128_expand_decrypt(mbedtls_aes_context *keys, const unsigned char key[16])
{
    mbedtls_aes_setkey_dec(keys, key, 128);
}
