/* Round keys for decryption: all but the first and the last one with the inverse permutation applied, because the
 * rounds with tables begin with the S-box. */

#include "permutation.h"
#include "schedule.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t expand_decrypt(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES])
{
    uint32_t word[4];
    present_load_key(word, key);
    for (unsigned i = 0; i <= PRESENT_ROUNDS; i++) {
        keys->round[i][0] = word[0];
        keys->round[i][1] = word[1];
        if (i > 0) {
            present_unpermute(&keys->round[i][0], &keys->round[i][1]);
        }
        present_forwards(word, i + 1);
    }
    return stack_depth();
}

void present_expand_decrypt(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES])
{
    wipe_below(expand_decrypt(keys, key));
}
