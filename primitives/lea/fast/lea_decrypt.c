/* Decryption of a block, all rounds unrolled (Hong and others, WISA 2013, section 2.5). */

#include "lea.h"
#include "lea_round.h"
#include "wiping.h"

#define FOUR(i)                                                                                        \
    do {                                                                                               \
        lea_unround(d, &a, &b, &c, key + 4 * (i) + 12);                                                \
        lea_unround(c, &d, &a, &b, key + 4 * (i) + 8);                                                 \
        lea_unround(b, &c, &d, &a, key + 4 * (i) + 4);                                                 \
        lea_unround(a, &b, &c, &d, key + 4 * (i));                                                     \
    } while (0)

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const LEA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    const uint32_t *key = keys->word;
    uint32_t        a = load32_le(text), b = load32_le(text + 4);
    uint32_t        c = load32_le(text + 8), d = load32_le(text + 12);
    FOUR(20);
    FOUR(16);
    FOUR(12);
    FOUR(8);
    FOUR(4);
    FOUR(0);
    store32_le(result, a);
    store32_le(result + 4, b);
    store32_le(result + 8, c);
    store32_le(result + 12, d);
    return stack_depth();
}

void lea128_decrypt(const LEA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(decrypt(keys, text, result));
}
