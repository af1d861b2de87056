/* Decryption of a block (RFC 2040, section 6): half a round per step, of which the last two store the block. */

#include "rc5.h"

#include "bytes.h"
#include "wiping.h"

void rc5_decrypt(const RC5_KEYS *keys, const uint8_t text[RC5_BLOCK], uint8_t result[RC5_BLOCK])
{
    uint32_t a = load32_le(text), b = load32_le(text + 4);
    for (unsigned i = RC5_WORDS; i-- > 0;) {
        uint32_t last = b - keys->s[i];
        b             = a;
        if (i >= 2) {
            a = rotr32(last, a) ^ a;
        } else {
            store32_le(result + 4 * i, last);
        }
    }
    wipe_registers();
}
