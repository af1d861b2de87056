/* Encryption of a block (The RC6 block cipher, section 2.2), four rounds per iteration, after which the words are at
 * their initial positions. */

#include "rc6.h"

#include "bytes.h"
#include "wiping.h"

#define ROUND(i, a, b, c, d)           \
    t = rotl32(b * (2 * b + 1), 5);    \
    u = rotl32(d * (2 * d + 1), 5);    \
    a = rotl32(a ^ t, u) + s[2 * i];   \
    c = rotl32(c ^ u, t) + s[2 * i + 1];

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const RC6_KEYS *keys, const uint8_t text[RC6_BLOCK], uint8_t result[RC6_BLOCK])
{
    const uint32_t *s = keys->s;
    uint32_t        a = load32_le(text), b = load32_le(text + 4) + s[0];
    uint32_t        c = load32_le(text + 8), d = load32_le(text + 12) + s[1], t, u;
    for (s += 2; s < keys->s + RC6_WORDS - 2; s += 8) {
        ROUND(0, a, b, c, d)
        ROUND(1, b, c, d, a)
        ROUND(2, c, d, a, b)
        ROUND(3, d, a, b, c)
    }
    store32_le(result, a + s[0]);
    store32_le(result + 4, b);
    store32_le(result + 8, c + s[1]);
    store32_le(result + 12, d);
    return stack_depth();
}

void rc6_encrypt(const RC6_KEYS *keys, const uint8_t text[RC6_BLOCK], uint8_t result[RC6_BLOCK])
{
    wipe_below(encrypt(keys, text, result));
}
