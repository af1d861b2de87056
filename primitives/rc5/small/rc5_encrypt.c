/* Encryption of a block (RFC 2040, section 5): half a round per step, of which the first two load the block. */

#include "rc5.h"

#include "bytes.h"
#include "wiping.h"

void rc5_encrypt(const RC5_KEYS *keys, const uint8_t text[RC5_BLOCK], uint8_t result[RC5_BLOCK])
{
    uint32_t a = 0, b = 0, next;
    for (const uint32_t *s = keys->s; s < keys->s + RC5_WORDS; s++) {
        if (s < keys->s + 2) {
            next = load32_le(text);
            text += 4;
        } else {
            next = rotl32(a ^ b, b);
        }
        a = b;
        b = next + *s;
    }
    store32_le(result, a);
    store32_le(result + 4, b);
    wipe_registers();
}
