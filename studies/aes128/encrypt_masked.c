/* Encrypts a block by the masked implementation, whose round keys are bytes. Six random bytes mask a block; the caller
 * fills `aes128_masks` with fresh ones, as `cocrypt explore` does for each trace. Without them the result is the same,
 * and nothing is masked. */

#define aes128_expand         masked_expand
#define aes128_expand_decrypt masked_expand_decrypt
#define aes128_encrypt        masked_encrypt
#define aes128_decrypt        masked_decrypt
#include "../../primitives/aes/masked/aes_encrypt.c"
#undef aes128_expand
#undef aes128_expand_decrypt
#undef aes128_encrypt
#undef aes128_decrypt

#include "aes128.h"

uint8_t aes128_masks[6];

void aes128_encrypt(const AES128_KEYS *keys, const uint8_t text[AES128_BYTES],
                    uint8_t result[AES128_BYTES])
{
    AES_KEYS masked;
    for (unsigned i = 0; i < sizeof masked.random; i++) {
        masked.random[i] = aes128_masks[i];
    }
    for (unsigned i = 0; i < 4 * (AES128_ROUNDS + 1); i++) {
        aes128_store(masked.round[0] + 4 * i, keys->w[i]);
    }
    masked_encrypt(&masked, text, result);
    wipe(&masked, sizeof masked);
}
