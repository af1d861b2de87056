/* Decryption of a block (RFC 2268, section 4), unrolled. A word is the lower half of its variable; the upper half is
 * ignored. */

#include "rc2.h"
#include "wiping.h"

/* Rotates a 16-bit word right. */
static inline uint32_t turned(uint32_t word, unsigned places)
{
    return word << 16 >> (16 + places) | word << (16 - places);
}

#define MIX(k, a, b, c, d, places) a = turned(a, places) - (k) - (b ^ (d & (b ^ c)));

#define ROUND(i)                           \
    MIX(k[4 * i + 3], d, a, b, c, 5)       \
    MIX(k[4 * i + 2], c, d, a, b, 3)       \
    MIX(k[4 * i + 1], b, c, d, a, 2)       \
    MIX(k[4 * i], a, b, c, d, 1)

#define MASH          \
    d -= k[c & 63];   \
    c -= k[b & 63];   \
    b -= k[a & 63];   \
    a -= k[d & 63];

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const RC2_KEYS *keys, const uint8_t text[RC2_BLOCK], uint8_t result[RC2_BLOCK])
{
    const uint16_t *k = keys->k;
    uint32_t        a = text[0] | (uint32_t)text[1] << 8, b = text[2] | (uint32_t)text[3] << 8;
    uint32_t        c = text[4] | (uint32_t)text[5] << 8, d = text[6] | (uint32_t)text[7] << 8;
    ROUND(15) ROUND(14) ROUND(13) ROUND(12) ROUND(11)
    MASH
    ROUND(10) ROUND(9) ROUND(8) ROUND(7) ROUND(6) ROUND(5)
    MASH
    ROUND(4) ROUND(3) ROUND(2) ROUND(1) ROUND(0)
    result[0] = (uint8_t)a;
    result[1] = (uint8_t)(a >> 8);
    result[2] = (uint8_t)b;
    result[3] = (uint8_t)(b >> 8);
    result[4] = (uint8_t)c;
    result[5] = (uint8_t)(c >> 8);
    result[6] = (uint8_t)d;
    result[7] = (uint8_t)(d >> 8);
    return stack_depth();
}

void rc2_decrypt(const RC2_KEYS *keys, const uint8_t text[RC2_BLOCK], uint8_t result[RC2_BLOCK])
{
    wipe_below(decrypt(keys, text, result));
}
