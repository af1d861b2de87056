/* Encryption of a block; a round of the key schedule follows each round (Beaulieu and others, 2013, section 4), three
 * rounds per iteration so that the schedule's words stay in their registers. */

#include "speck.h"
#include "speck_round.h"
#include "wiping.h"

/* Returns its stack depth: on Cortex-M0 the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const SPECK_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    uint32_t x = load32_le(text + 4), y = load32_le(text);
    uint32_t k = keys->word[0], a = keys->word[1], b = keys->word[2], c = keys->word[3];
    for (unsigned i = 0; i < SPECK_ROUNDS; i += 3) {
        speck_round(&x, &y, k);
        speck_round(&a, &k, i);
        speck_round(&x, &y, k);
        speck_round(&b, &k, i + 1);
        speck_round(&x, &y, k);
        speck_round(&c, &k, i + 2);
    }
    store32_le(result, y);
    store32_le(result + 4, x);
    return stack_depth();
}

void speck64_128_encrypt(const SPECK_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    wipe_below(encrypt(keys, text, result));
}
