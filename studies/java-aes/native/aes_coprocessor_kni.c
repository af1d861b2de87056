/* Aes.encrypt by the coprocessor aes128, which expands the key itself, with arguments by KNI. */

#include "aes128_registers.h"
#include "aes_entry_kni.h"
#include "cocrypt/device.h"

static void encrypt(jobject key, jobject text, jobject result)
{
    uint32_t words[4], in[4], out[4];
    load_words(words, key);
    load_words(in, text);
    aes128_run(COCRYPT_COPROCESSOR, words, in, out, AES128_CONTROL_START);
    store_words(result, out);
}
