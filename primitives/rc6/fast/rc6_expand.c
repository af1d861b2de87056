/* Key expansion (The RC6 block cipher, section 2.1), with the key in registers, and the constants only in the first
 * pass. */

#include "rc6.h"

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

void rc6_expand(RC6_KEYS *keys, const uint8_t key[RC6_KEY_BYTES])
{
    uint32_t k = load32_le(key), l = load32_le(key + 4), m = load32_le(key + 8), n = load32_le(key + 12);
    uint32_t a = 0, b = 0, sum = 0, magic = 0xb7e15163;
    for (uint32_t *s = keys->s; s < keys->s + RC6_WORDS; s += 4) {
        FIRST(0, k)
        FIRST(1, l)
        FIRST(2, m)
        FIRST(3, n)
    }
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t *s = keys->s; s < keys->s + RC6_WORDS; s += 4) {
            AGAIN(0, k)
            AGAIN(1, l)
            AGAIN(2, m)
            AGAIN(3, n)
        }
    }
    wipe_registers();
}
