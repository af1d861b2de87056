/* Bit-sliced round keys, in pairs of words (Bogdanov and others, CHES 2007, section 3). Every second one has outer and
 * inner index bits swapped; the last one has the bit order of the block. */

#include "schedule.h"
#include "wiping.h"

static inline void slice(uint32_t pair[2], uint32_t high, uint32_t low, unsigned odd)
{
    uint32_t x[4];
    present_split(x, high, low);
    present_swap_inner(x);
    pair[0] = present_joined(x[0], x[1]);
    pair[1] = present_joined(x[2], x[3]);
    if (odd) {
        pair[0] = present_turned(pair[0]);
        pair[1] = present_turned(pair[1]);
    }
}

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t expand(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES])
{
    uint32_t word[4];
    present_load_key(word, key);
    for (unsigned i = 0; i < PRESENT_ROUNDS; i++) {
        slice(keys->round[i], word[0], word[1], i % 2);
        present_forwards(word, i + 1);
    }
    keys->round[PRESENT_ROUNDS][0] = word[1];
    keys->round[PRESENT_ROUNDS][1] = word[0];
    return stack_depth();
}

void present_expand(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
