/* A key and a block, twice: the second time code and tables are in the caches. Marks 1 and 2 are
 * around the first, 3 and 4 around the second. */

#include "block.h"
#include "cocrypt/device.h"

uint8_t output[AES128_BYTES];

int main(void)
{
    uint8_t key[AES128_BYTES], text[AES128_BYTES];
    for (unsigned i = 0; i < AES128_BYTES; i++) {
        key[i]  = (uint8_t)i;
        text[i] = (uint8_t)(0x11 * i);
    }
    for (uint32_t run = 0; run < 2; run++) {
        device_write(COCRYPT_MARKS, 2 * run + 1);
        aes128_block(key, text, output);
        device_write(COCRYPT_MARKS, 2 * run + 2);
    }
    return 0;
}
