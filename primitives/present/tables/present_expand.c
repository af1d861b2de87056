/* Round keys for encryption (Bogdanov and others, CHES 2007, section 3): the even bytes of a round key, numbered from
 * the last one, in one word and the odd ones in the other, in the order of the block. */

#include "schedule.h"
#include "wiping.h"

static inline uint32_t every_other(uint32_t high, uint32_t low)
{
    return (low & 0xff) | (low >> 8 & 0xff00) | (high << 16 & 0xff0000) | (high << 8 & 0xff000000);
}

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t expand(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES])
{
    uint32_t word[4];
    present_load_key(word, key);
    for (unsigned i = 0; i <= PRESENT_ROUNDS; i++) {
        keys->round[i][0] = every_other(word[0], word[1]);
        keys->round[i][1] = every_other(word[0] >> 8, word[1] >> 8);
        present_forwards(word, i + 1);
    }
    return stack_depth();
}

void present_expand(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
