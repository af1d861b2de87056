/* Decryption of a block (ISO/IEC 18033-3, HIGHT) in pairs of bytes, four rounds per iteration so that no pair is
 * moved. */

#include "pairs.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t *first = &keys->whitening[0], *last = &keys->whitening[1];
    uint32_t        b = hight_load(text + 3), c = hight_load(text + 2);
    uint32_t        d = hight_load(text + 1), a = rotl32(hight_load(text), 16);
    b = ((b | HIGHT_BORROW) - (*last & HIGHT_PAIR)) & HIGHT_PAIR;
    d ^= *last >> 8 & HIGHT_PAIR;
    for (const uint32_t *key = keys->round + HIGHT_ROUNDS; key > keys->round;) {
        key -= 4;
        hight_unround(b, &c, d, &a, key[3]);
        hight_unround(c, &d, a, &b, key[2]);
        hight_unround(d, &a, b, &c, key[1]);
        hight_unround(a, &b, c, &d, key[0]);
    }
    hight_store(result + 3, (a | HIGHT_BORROW) - (*first & HIGHT_PAIR));
    hight_store(result + 2, b);
    hight_store(result + 1, c ^ (*first >> 8 & HIGHT_PAIR));
    hight_store(result, d);
    return stack_depth();
}

void hight_decrypt(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    wipe_below(decrypt(keys, text, result));
}
