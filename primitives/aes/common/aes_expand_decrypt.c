/* The round keys of the equivalent inverse cipher (FIPS 197, section 5.3.5). InvMixColumns is linear, and so is the key
 * expansion except for one word in AES_KEY_WORDS: only these words and the key itself go through InvMixColumns, and all
 * other round key words are sums, as in the key expansion. */

#include "aes_tables.h"
#include "bytes.h"
#include "wiping.h"

enum { LONGEST = 8 };

/* InvMixColumns of a word by the tables; the S-box first cancels the inverse S-box in them. Reports its stack depth in
 * `depth`. */
static inline uint32_t unmixed(uint32_t word, uintptr_t *depth)
{
    uint32_t bytes = aes_substituted(word);
    uint32_t made  = aes_column(AES(backward), bytes, bytes, bytes, bytes);
    *depth         = stack_depth();
    return made;
}

/* TAKE adds a word to a word of the key expansion; TAKE_UNMIXED adds its InvMixColumns to that of the other, and stores
 * the sum. */
#define TAKE(i, other) (word[i] ^= (other))
#define TAKE_UNMIXED(i, other) (w[i] = made[i] ^= (other))
#define GIVEN(i) (word[i] = load32_le(key + 4 * (i)), made[i] = unmixed(word[i], &depth))

/* Returns its stack depth: not all words fit the registers. */
static NOINLINE uintptr_t expand(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    uint32_t        word[LONGEST], made[LONGEST], *w = keys->w;
    const uint32_t *end      = w + 4 * (AES_ROUNDS + 1);
    const uint8_t  *constant = AES(constants);
    uintptr_t       depth    = stack_depth();
    for (unsigned i = 0; i < AES_KEY_WORDS; i++) {
        GIVEN(i);
        w[i] = i < 4 ? word[i] : made[i];
    }
    for (;;) {
        w += AES_KEY_WORDS;
        uint32_t substituted = aes_substituted(rotr32(word[AES_KEY_WORDS - 1], 8)) ^ *constant++;
        TAKE(0, substituted), TAKE(1, word[0]), TAKE(2, word[1]), TAKE(3, word[2]);
        if (w + 4 == end) {
            break;
        }
        TAKE_UNMIXED(0, unmixed(substituted, &depth)), TAKE_UNMIXED(1, made[0]);
        TAKE_UNMIXED(2, made[1]), TAKE_UNMIXED(3, made[2]);
        if (AES_KEY_WORDS > 4) {
            substituted = AES_KEY_WORDS == 8 ? aes_substituted(word[3]) : word[3];
            TAKE(4, substituted), TAKE(5, word[4]);
            TAKE_UNMIXED(4, AES_KEY_WORDS == 8 ? unmixed(substituted, &depth) : made[3]), TAKE_UNMIXED(5, made[4]);
        }
        if (AES_KEY_WORDS > 6) {
            TAKE(6, word[5]), TAKE(7, word[6]);
            TAKE_UNMIXED(6, made[5]), TAKE_UNMIXED(7, made[6]);
        }
    }
    w[0] = word[0], w[1] = word[1], w[2] = word[2], w[3] = word[3];
    return no_tail_call(depth);
}

void AES(expand_decrypt)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
