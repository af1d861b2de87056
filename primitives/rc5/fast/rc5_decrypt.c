/* Decryption of a block (RFC 2040, section 6), unrolled. */

#include "rc5.h"

#include "bytes.h"
#include "wiping.h"

#define ROUND(i)                                 \
    b = rotr32(b - keys->s[2 * i + 1], a) ^ a;   \
    a = rotr32(a - keys->s[2 * i], b) ^ b;

void rc5_decrypt(const RC5_KEYS *keys, const uint8_t text[RC5_BLOCK], uint8_t result[RC5_BLOCK])
{
    uint32_t a = load32_le(text);
    uint32_t b = load32_le(text + 4);
    ROUND(12)
    ROUND(11)
    ROUND(10)
    ROUND(9)
    ROUND(8)
    ROUND(7)
    ROUND(6)
    ROUND(5)
    ROUND(4)
    ROUND(3)
    ROUND(2)
    ROUND(1)
    store32_le(result, a - keys->s[0]);
    store32_le(result + 4, b - keys->s[1]);
    wipe_registers();
}
