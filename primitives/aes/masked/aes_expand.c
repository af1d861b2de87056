/* The key schedule (FIPS 197, section 5.2). It is not masked: it runs once for a key, and no text is in it. */

#include "aes_masked.h"

static NOINLINE uintptr_t expand(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    uint8_t *w        = keys->round[0];
    uint8_t  constant = 1;
    for (unsigned i = 0; i < AES_KEY_BYTES; i++) {
        w[i] = key[i];
    }
    for (unsigned i = AES_KEY_BYTES; i < AES_BYTES * (AES_ROUNDS + 1); i++) {
        unsigned at = i % AES_KEY_BYTES;
        uint8_t  a  = w[i - 4];
        if (at < 4) {
            /* RotWord: the last byte of the four takes the first of those before. */
            a = AES(sbox)[w[at == 3 ? i - 7 : i - 3]];
            if (at == 0) {
                a        = (uint8_t)(a ^ constant);
                constant = aes_doubled(constant);
            }
        } else if (AES_KEY_BYTES == 32 && at / 4 == 4) {
            a = AES(sbox)[a];
        }
        w[i] = (uint8_t)(a ^ w[i - AES_KEY_BYTES]);
    }
    return stack_depth();
}

void AES(expand)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
