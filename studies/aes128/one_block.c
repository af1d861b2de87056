/* One block with a new key (FIPS 197, appendix C.1): the key expansion dominates. */

#include "aes128.h"

uint8_t output[AES128_BYTES];

int main(void)
{
    uint8_t     key[AES128_BYTES], text[AES128_BYTES];
    AES128_KEYS keys;
    for (unsigned i = 0; i < AES128_BYTES; i++) {
        key[i]  = (uint8_t)i;
        text[i] = (uint8_t)(0x11 * i);
    }
    aes128_expand(&keys, key);
    aes128_encrypt(&keys, text, output);
    return 0;
}
