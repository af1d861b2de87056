/* Encryption of a block (Bogdanov and others, CHES 2007, section 3), with round keys computed on the fly. */

#include "layer.h"
#include "schedule.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    uint32_t key[4] = {keys->word[0], keys->word[1], keys->word[2], keys->word[3]};
    uint32_t high = load32_be(text), low = load32_be(text + 4);
    for (unsigned round = 1; round <= PRESENT_ROUNDS; round++) {
        high ^= key[0];
        low ^= key[1];
        present_layer(&high, &low);
        present_forwards(key, round);
    }
    store32_be(result, high ^ key[0]);
    store32_be(result + 4, low ^ key[1]);
    return stack_depth();
}

void present_encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    wipe_below(encrypt(keys, text, result));
}
