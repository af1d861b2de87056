/* Bit-sliced decryption of a block (Bogdanov and others, CHES 2007, section 3), two rounds per iteration. */

#include "bytes.h"
#include "present.h"
#include "slices.h"
#include "wiping.h"

static inline void unsubstitute_and_key(uint32_t x[4], const uint32_t key[2])
{
    present_unsubstitute(x);
    x[0] ^= key[0];
    x[1] ^= key[0] >> 16;
    x[2] ^= key[1];
    x[3] ^= key[1] >> 16;
}

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t(*key)[2] = keys->round + PRESENT_ROUNDS;
    uint32_t high = load32_be(text) ^ key[0][1], low = load32_be(text + 4) ^ key[0][0];
    uint32_t x[4];
    present_split(x, present_turned(high), present_turned(low));
    unsubstitute_and_key(x, *--key);
    while (key > keys->round) {
        key -= 2;
        present_swap_inner(x);
        unsubstitute_and_key(x, key[1]);
        present_swap_outer(x);
        unsubstitute_and_key(x, key[0]);
    }
    present_swap_inner(x);
    store32_be(result, present_joined(x[2], x[3]));
    store32_be(result + 4, present_joined(x[0], x[1]));
    return stack_depth();
}

void present_decrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    wipe_below(decrypt(keys, text, result));
}
