/* Aes.encrypt in C: key schedule and encryption. */

#include "blocks.h"

void Java_Aes_encrypt(jobject key, jobject text, jobject result)
{
    if (!is_block(key) || !is_block(text) || !is_block(result)) {
        return;
    }
    AES128_KEYS keys;
    aes128_expand(&keys, block_of(key));
    aes128_encrypt(&keys, block_of(text), block_of(result));
}
