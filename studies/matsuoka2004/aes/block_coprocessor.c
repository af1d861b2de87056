/* Key schedule and encryption by the coprocessor aes128, which expands the key itself. */

#include "aes128_registers.h"
#include "block.h"
#include "cocrypt/device.h"

void aes128_block(const uint8_t key[AES128_BYTES], const uint8_t text[AES128_BYTES],
                  uint8_t result[AES128_BYTES])
{
    uint32_t words[4], in[4], out[4];
    for (unsigned i = 0; i < 4; i++) {
        words[i] = aes128_load(key + 4 * i);
        in[i]    = aes128_load(text + 4 * i);
    }
    aes128_run(COCRYPT_COPROCESSOR, words, in, out, AES128_CONTROL_START);
    for (unsigned i = 0; i < 4; i++) {
        aes128_store(result + 4 * i, out[i]);
    }
}
