/* Encryption of a block (ISO/IEC 18033-3, HIGHT) in pairs of bytes, four rounds per iteration so that no pair is
 * moved. */

#include "pairs.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t *first = &keys->whitening[0], *last = &keys->whitening[1];
    uint32_t        a = hight_load(text + 3), b = hight_load(text + 2);
    uint32_t        c = hight_load(text + 1), d = hight_load(text);
    a = (a + (*first & HIGHT_PAIR)) & HIGHT_PAIR;
    c ^= *first >> 8 & HIGHT_PAIR;
    for (const uint32_t *key = keys->round; key < keys->round + HIGHT_ROUNDS; key += 4) {
        hight_round(a, &b, c, &d, key[0]);
        hight_round(d, &a, b, &c, key[1]);
        hight_round(c, &d, a, &b, key[2]);
        hight_round(b, &c, d, &a, key[3]);
    }
    /* The last round does not rotate the block, so that the pairs keep their positions. */
    hight_store(result + 3, b + (*last & HIGHT_PAIR));
    hight_store(result + 2, c);
    hight_store(result + 1, d ^ (*last >> 8 & HIGHT_PAIR));
    hight_store(result, rotl32(a, 16));
    return stack_depth();
}

void hight_encrypt(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    wipe_below(encrypt(keys, text, result));
}
