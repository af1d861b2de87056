/* Key schedule and encryption in C. */

#include "block.h"

void aes128_block(const uint8_t key[AES128_BYTES], const uint8_t text[AES128_BYTES],
                  uint8_t result[AES128_BYTES])
{
    AES128_KEYS keys;
    aes128_expand(&keys, key);
    aes128_encrypt(&keys, text, result);
}
