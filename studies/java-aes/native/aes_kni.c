/* Aes.encrypt in C by KNI: it asks for the arrays, and copies them. */

#include "aes_entry_kni.h"

static void encrypt(jobject key, jobject text, jobject result)
{
    uint8_t     block[AES128_BYTES];
    AES128_KEYS keys;
    take_block(key, block);
    aes128_expand(&keys, block);
    take_block(text, block);
    aes128_encrypt(&keys, block, block);
    give_block(result, block);
}
