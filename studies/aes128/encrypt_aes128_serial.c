/* Encrypts a block by the coprocessor aes128-serial, which expands the key itself: the first round key is the key. */

#include "aes128.h"
#include "aes128_serial_registers.h"
#include "cocrypt/device.h"

void aes128_encrypt(const AES128_KEYS *keys, const uint8_t text[AES128_BYTES],
                    uint8_t result[AES128_BYTES])
{
    uint32_t in[4], out[4];
    for (unsigned i = 0; i < 4; i++) {
        in[i] = aes128_load(text + 4 * i);
    }
    aes128_serial_run(COCRYPT_COPROCESSOR, keys->w, in, out, AES128_SERIAL_CONTROL_START);
    for (unsigned i = 0; i < 4; i++) {
        aes128_store(result + 4 * i, out[i]);
    }
}
