/* Vault.encrypt by the coprocessor aes128-sealed, which has the keys, with arguments by KNI. */

#include "aes128_sealed_registers.h"
#include "cocrypt/device.h"
#include "kni_blocks.h"

static void encrypt(jint number, jobject text, jobject result)
{
    uint32_t in[4], out[4];
    load_words(in, text);
    aes128_sealed_write_control(COCRYPT_COPROCESSOR, AES128_SEALED_CONTROL_LOAD
                                | (uint32_t)number << AES128_SEALED_CONTROL_SLOT_SHIFT);
    aes128_sealed_run(COCRYPT_COPROCESSOR, in, out, AES128_SEALED_CONTROL_START);
    store_words(result, out);
}

KNIEXPORT KNI_RETURNTYPE_VOID Java_Vault_encrypt(void)
{
    jint number = KNI_GetParameterAsInt(1);
    KNI_StartHandles(2);
    KNI_DeclareHandle(text);
    KNI_DeclareHandle(result);
    KNI_GetParameterAsObject(2, text);
    KNI_GetParameterAsObject(3, result);
    if (number < 0 || number > 1) {
        KNI_ThrowNew("java/lang/ArrayIndexOutOfBoundsException", 0);
    } else if (is_block(text) && is_block(result)) {
        encrypt(number, text, result);
    }
    KNI_EndHandles();
    KNI_ReturnVoid();
}
