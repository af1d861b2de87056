/* BearSSL's small AES, as a block cipher. */

#include "bearssl_aes.h"

void aes128_expand(BEARSSL_AES *keys, const uint8_t key[16])
{
    keys->rounds = br_aes_keysched(keys->words, key, 16);
}

void aes128_encrypt(const BEARSSL_AES *keys, const uint8_t text[16], uint8_t result[16])
{
    bearssl_copy(result, text);
    br_aes_small_encrypt(keys->rounds, keys->words, result);
}

void aes128_decrypt(const BEARSSL_AES *keys, const uint8_t text[16], uint8_t result[16])
{
    bearssl_copy(result, text);
    br_aes_small_decrypt(keys->rounds, keys->words, result);
}
