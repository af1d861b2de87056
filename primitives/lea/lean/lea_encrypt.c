/* Encryption of a block, with the round keys computed on the fly (Hong and others, WISA 2013, section 2), one round at
 * a time, so that only block and key are kept. */

#include "lea.h"
#include "lea_schedule.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const LEA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    uint32_t key[4] = {keys->word[0], keys->word[1], keys->word[2], keys->word[3]};
    uint32_t a = load32_le(text), b = load32_le(text + 4);
    uint32_t c = load32_le(text + 8), d = load32_le(text + 12);
    for (unsigned i = 0; i < LEA_ROUNDS; i++) {
        uint32_t first = a;
        lea_forwards(key, i);
        lea_round(a, &b, &c, &d, key);
        a = b, b = c, c = d, d = first;
    }
    store32_le(result, a);
    store32_le(result + 4, b);
    store32_le(result + 8, c);
    store32_le(result + 12, d);
    return stack_depth();
}

void lea128_encrypt(const LEA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(encrypt(keys, text, result));
}
