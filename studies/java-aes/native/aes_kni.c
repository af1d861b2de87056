/* Aes.encrypt in C by KNI: it asks for the arrays, and copies them. */

#include "kni_blocks.h"

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
