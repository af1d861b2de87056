/* Decryption of a block (Bogdanov and others, CHES 2007, section 3): the key schedule runs forward to its end, and then
 * backward with the rounds. */

#include "layer.h"
#include "schedule.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    uint32_t key[4] = {keys->word[0], keys->word[1], keys->word[2], keys->word[3]};
    uint32_t high = load32_be(text), low = load32_be(text + 4);
    for (unsigned round = 1; round <= PRESENT_ROUNDS; round++) {
        present_forwards(key, round);
    }
    for (unsigned round = PRESENT_ROUNDS; round > 0; round--) {
        high ^= key[0];
        low ^= key[1];
        present_unlayer(&high, &low);
        present_backwards(key, round);
    }
    store32_be(result, high ^ key[0]);
    store32_be(result + 4, low ^ key[1]);
    return stack_depth();
}

void present_decrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    wipe_below(decrypt(keys, text, result));
}
