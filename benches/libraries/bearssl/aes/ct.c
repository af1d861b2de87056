/* BearSSL's AES without tables, as a block cipher: one block, the other stays empty. */

#include "bearssl_aes.h"

/* The words of the first of two blocks stand at even places. */
static void load(uint32_t slices[8], const uint8_t text[16])
{
    for (unsigned word = 0; word < 4; word++) {
        slices[2 * word] = br_dec32le(text + 4 * word);
        slices[2 * word + 1] = 0;
    }
    br_aes_ct_ortho(slices);
}

static void store(uint8_t result[16], uint32_t slices[8])
{
    br_aes_ct_ortho(slices);
    for (unsigned word = 0; word < 4; word++)
        br_enc32le(result + 4 * word, slices[2 * word]);
}

void aes128_expand(BEARSSL_AES *keys, const uint8_t key[16])
{
    uint32_t compressed[60];

    keys->rounds = br_aes_ct_keysched(compressed, key, 16);
    br_aes_ct_skey_expand(keys->words, keys->rounds, compressed);
}

void aes128_encrypt(const BEARSSL_AES *keys, const uint8_t text[16], uint8_t result[16])
{
    uint32_t slices[8];

    load(slices, text);
    br_aes_ct_bitslice_encrypt(keys->rounds, keys->words, slices);
    store(result, slices);
}

void aes128_decrypt(const BEARSSL_AES *keys, const uint8_t text[16], uint8_t result[16])
{
    uint32_t slices[8];

    load(slices, text);
    br_aes_ct_bitslice_decrypt(keys->rounds, keys->words, slices);
    store(result, slices);
}
