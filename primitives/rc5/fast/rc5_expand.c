/* Key expansion (RFC 2040, section 4), with the key in registers, and the constants only in the first pass. */

#include "rc5.h"

#include "bytes.h"
#include "wiping.h"

/* Mixes a word of the table, stored as `s`, and then a word of the key. */
#define MIX(s, word, l)              \
    s = a = rotl32((word) + sum, 3); \
    sum   = a + b;                   \
    l = b = rotl32(l + sum, sum);    \
    sum   = a + b;

/* In the first pass the words of the table are constants. */
#define FIRST(i, l)      \
    MIX(s[i], magic, l)  \
    magic += 0x9e3779b9;

#define AGAIN(i, l) MIX(s[i], s[i], l)

void rc5_expand(RC5_KEYS *keys, const uint8_t key[RC5_KEY_BYTES])
{
    uint32_t *s = keys->s, *end = keys->s + RC5_WORDS - 2;
    uint32_t  k = load32_le(key), l = load32_le(key + 4), m = load32_le(key + 8), n = load32_le(key + 12);
    uint32_t  a = 0, b = 0, sum = 0, magic = 0xb7e15163;
    for (; s < end; s += 4) {
        FIRST(0, k)
        FIRST(1, l)
        FIRST(2, m)
        FIRST(3, n)
    }
    FIRST(0, k)
    FIRST(1, l)
    for (s = keys->s; s < end; s += 4) {
        AGAIN(0, m)
        AGAIN(1, n)
        AGAIN(2, k)
        AGAIN(3, l)
    }
    AGAIN(0, m)
    AGAIN(1, n)
    for (s = keys->s; s < end; s += 4) {
        AGAIN(0, k)
        AGAIN(1, l)
        AGAIN(2, m)
        AGAIN(3, n)
    }
    AGAIN(0, k)
    AGAIN(1, l)
    wipe_registers();
}
