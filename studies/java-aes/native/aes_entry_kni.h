/* Aes.encrypt as a native method by KNI, whose arguments go to `encrypt` of the file that includes this. */

#ifndef AES_ENTRY_KNI_H
#define AES_ENTRY_KNI_H

#include "kni_blocks.h"

static void encrypt(jobject key, jobject text, jobject result);

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

#endif
