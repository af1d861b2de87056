/* Decryption of a block (The RC6 block cipher, section 2.2), four rounds per iteration, after which the words are at
 * their initial positions. */

#include "rc6.h"

#include "bytes.h"
#include "wiping.h"

#define ROUND(i, a, b, c, d)                 \
    t = rotl32(b * (2 * b + 1), 5);          \
    u = rotl32(d * (2 * d + 1), 5);          \
    c = rotr32(c - s[2 * i + 1], t) ^ u;     \
    a = rotr32(a - s[2 * i], u) ^ t;

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const RC6_KEYS *keys, const uint8_t text[RC6_BLOCK], uint8_t result[RC6_BLOCK])
{
    const uint32_t *s = keys->s + RC6_WORDS - 2;
    uint32_t        a = load32_le(text) - s[0], b = load32_le(text + 4);
    uint32_t        c = load32_le(text + 8) - s[1], d = load32_le(text + 12), t, u;
    while (s > keys->s + 2) {
        s -= 8;
        ROUND(3, d, a, b, c)
        ROUND(2, c, d, a, b)
        ROUND(1, b, c, d, a)
        ROUND(0, a, b, c, d)
    }
    store32_le(result, a);
    store32_le(result + 4, b - keys->s[0]);
    store32_le(result + 8, c);
    store32_le(result + 12, d - keys->s[1]);
    return stack_depth();
}

void rc6_decrypt(const RC6_KEYS *keys, const uint8_t text[RC6_BLOCK], uint8_t result[RC6_BLOCK])
{
    wipe_below(decrypt(keys, text, result));
}
