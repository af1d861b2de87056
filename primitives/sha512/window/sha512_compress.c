/* The compression function with working variables in memory (FIPS 180-4, section 6.4.2), for cores with too few
 * registers, such as ARM's: one address register serves them and the precomputed message schedule. */

#include "bytes.h"
#include "compress.h"
#include "round.h"
#include "sha512_constants.h"
#include "wiping.h"

enum { AT_ONCE = 4 };

/* Loads the first words of the schedule; an aligned block is read four bytes at a time. */
static void load(uint64_t w[SHA512_BLOCK], const uint8_t block[SHA512_BLOCK_BYTES])
{
    if (has_words(block)) {
        for (unsigned t = 0; t < SHA512_BLOCK; t++) {
            w[t] = joined(load_word_be(block + 8 * t), load_word_be(block + 8 * t + 4));
        }
        return;
    }
    for (unsigned t = 0; t < SHA512_BLOCK; t++) {
        w[t] = load64_be(block + 8 * t);
    }
}

/* Computes a word of the schedule from the one 16 before it, which precedes w; returns the word at w. */
INLINE uint64_t step(uint64_t *w, uint64_t sum)
{
    sum           = hidden(sum + w[8]);
    sum           = add_sigma1(sum, w[13]);
    uint64_t next = w[0];
    w[15]         = add_sigma0(sum, next);
    return next;
}

/* The words of the schedule from the sixteenth on. */
static NOINLINE uintptr_t schedule(uint64_t w[SHA512_ROUNDS])
{
    uint64_t sum = *w++;
    for (const uint64_t *end = w + SHA512_ROUNDS - SHA512_BLOCK; w < end;) {
        sum = step(w++, sum);
        SETTLE(sum, w);
        sum = step(w++, sum);
        SETTLE(sum, w);
    }
    return stack_depth();
}

uintptr_t SHA512_NAME(compress)(uint64_t state[SHA512_STATE], const uint8_t block[SHA512_BLOCK_BYTES])
{
    uintptr_t depth = stack_depth();
    uint64_t all[SHA512_STATE + SHA512_ROUNDS];
    for (unsigned t = 0; t < SHA512_STATE; t++) {
        all[t] = state[A - t];
    }
    load(all + SHA512_STATE, block);
    depth = schedule(all + SHA512_STATE);
    Rounds on = {all, constant, all[A], all[E], all[B] ^ all[C]};
    for (; on.window < all + SHA512_ROUNDS; on.window += AT_ONCE, on.constant += AT_ONCE) {
        make_a(&on, 0, make_e(&on, 0));
        make_a(&on, 1, make_e(&on, 1));
        make_a(&on, 2, make_e(&on, 2));
        make_a(&on, 3, make_e(&on, 3));
    }
    for (unsigned t = 0; t < SHA512_STATE; t++) {
        state[A - t] += on.window[t];
    }
    return depth;
}
