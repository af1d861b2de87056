/* Encryption of a block (RFC 2040, section 5), unrolled. */

#include "rc5.h"

#include "bytes.h"
#include "wiping.h"

#define ROUND(i)                          \
    a = rotl32(a ^ b, b) + keys->s[2 * i]; \
    b = rotl32(b ^ a, a) + keys->s[2 * i + 1];

void rc5_encrypt(const RC5_KEYS *keys, const uint8_t text[RC5_BLOCK], uint8_t result[RC5_BLOCK])
{
    uint32_t a = load32_le(text) + keys->s[0];
    uint32_t b = load32_le(text + 4) + keys->s[1];
    ROUND(1)
    ROUND(2)
    ROUND(3)
    ROUND(4)
    ROUND(5)
    ROUND(6)
    ROUND(7)
    ROUND(8)
    ROUND(9)
    ROUND(10)
    ROUND(11)
    ROUND(12)
    store32_le(result, a);
    store32_le(result + 4, b);
    wipe_registers();
}
