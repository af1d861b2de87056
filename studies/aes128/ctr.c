/* Counter mode over 256 zero bytes with the key and the initial counter of SP 800-38A, section F.5.1: the output
 * is the key stream, whose first 64 bytes, XORed with that section's plaintext, give its ciphertext. */

#include "aes128.h"

enum { BLOCKS = 16 };

uint8_t output[BLOCKS * AES128_BYTES];

static void next(uint8_t counter[AES128_BYTES])
{
    for (unsigned i = AES128_BYTES; i-- > 0 && ++counter[i] == 0;) {
    }
}

int main(void)
{
    static const uint8_t key[AES128_BYTES] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                              0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    uint8_t     counter[AES128_BYTES];
    AES128_KEYS keys;
    for (unsigned i = 0; i < AES128_BYTES; i++) {
        counter[i] = (uint8_t)(0xf0 + i);
    }
    aes128_expand(&keys, key);
    for (unsigned block = 0; block < BLOCKS; block++) {
        aes128_encrypt(&keys, counter, output + block * AES128_BYTES);
        next(counter);
    }
    return 0;
}
