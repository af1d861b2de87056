/* Vault.encrypt by the coprocessor aes128-sealed, which has the keys: the program names the key by its number alone. */

#include "aes128_sealed_registers.h"
#include "blocks.h"
#include "cocrypt/device.h"

void Java_Vault_encrypt(jint number, jobject text, jobject result)
{
    if (number < 0 || number > 1) {
        java_throw(JAVA_ARRAY_INDEX);
        return;
    }
    if (!is_block(text) || !is_block(result)) {
        return;
    }
    uint32_t in[4], out[4];
    load_block(in, text);
    aes128_sealed_write_control(COCRYPT_COPROCESSOR, AES128_SEALED_CONTROL_LOAD
                                | (uint32_t)number << AES128_SEALED_CONTROL_SLOT_SHIFT);
    aes128_sealed_run(COCRYPT_COPROCESSOR, in, out, AES128_SEALED_CONTROL_START);
    store_block(result, out);
}
