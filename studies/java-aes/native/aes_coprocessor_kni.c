/* Aes.encrypt by the coprocessor aes128, which expands the key itself, with arguments by KNI. */

#include "aes128_registers.h"
#include "cocrypt/device.h"
#include "kni_blocks.h"

static void encrypt(jobject key, jobject text, jobject result)
{
    uint32_t words[4], in[4], out[4];
    load_words(words, key);
    load_words(in, text);
    aes128_run(COCRYPT_COPROCESSOR, words, in, out, AES128_CONTROL_START);
    store_words(result, out);
}

KNIEXPORT KNI_RETURNTYPE_VOID Java_Aes_encrypt(void)
{
    KNI_StartHandles(3);
    KNI_DeclareHandle(key);
    KNI_DeclareHandle(text);
    KNI_DeclareHandle(result);
    KNI_GetParameterAsObject(1, key);
    KNI_GetParameterAsObject(2, text);
    KNI_GetParameterAsObject(3, result);
    if (is_block(key) && is_block(text) && is_block(result)) {
        encrypt(key, text, result);
    }
    KNI_EndHandles();
    KNI_ReturnVoid();
}
