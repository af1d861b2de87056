/* Bit-sliced encryption of a block (Bogdanov and others, CHES 2007, section 3), two rounds per iteration. */

#include "bytes.h"
#include "present.h"
#include "slices.h"
#include "wiping.h"

static inline void key_and_substitute(uint32_t x[4], const uint32_t key[2])
{
    x[0] ^= key[0];
    x[1] ^= key[0] >> 16;
    x[2] ^= key[1];
    x[3] ^= key[1] >> 16;
    present_substitute(x);
}

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t(*key)[2] = keys->round;
    uint32_t x[4];
    present_split(x, load32_be(text), load32_be(text + 4));
    present_swap_inner(x);
    for (const uint32_t(*end)[2] = key + PRESENT_ROUNDS - 1; key < end; key += 2) {
        key_and_substitute(x, key[0]);
        present_swap_outer(x);
        key_and_substitute(x, key[1]);
        present_swap_inner(x);
    }
    /* After the last permutation the words hold the quarters of the block, in swapped order. */
    key_and_substitute(x, key[0]);
    store32_be(result, present_turned(present_joined(x[2], x[3])) ^ key[1][1]);
    store32_be(result + 4, present_turned(present_joined(x[0], x[1])) ^ key[1][0]);
    return stack_depth();
}

void present_encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    wipe_below(encrypt(keys, text, result));
}
