/* Aes.encrypt by the coprocessor aes128, which expands the key itself. */

#include "aes128_registers.h"
#include "blocks.h"
#include "cocrypt/device.h"

void Java_Aes_encrypt(jobject key, jobject text, jobject result)
{
    if (!is_block(key) || !is_block(text) || !is_block(result)) {
        return;
    }
    uint32_t words[4], in[4], out[4];
    load_block(words, key);
    load_block(in, text);
    aes128_run(COCRYPT_COPROCESSOR, words, in, out, AES128_CONTROL_START);
    store_block(result, out);
}
