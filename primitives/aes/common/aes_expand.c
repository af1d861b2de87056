/* Key expansion (FIPS 197, section 5.2). */

#include "aes_words.h"
#include "bytes.h"
#include "wiping.h"

enum { LONGEST = 8 };

/* The last AES_KEY_WORDS words stay in registers; NEXT replaces one of them by its sum with another value, and stores
 * it. */
#define NEXT(i, other) (w[i] = word[i] ^= (other))
#define GIVEN(LOAD, i) NEXT(i, LOAD(key + 4 * (i)))
#define ALL_GIVEN(LOAD)                                                                                \
    do {                                                                                               \
        GIVEN(LOAD, 0), GIVEN(LOAD, 1), GIVEN(LOAD, 2), GIVEN(LOAD, 3);                                \
        if (AES_KEY_WORDS > 4) {                                                                       \
            GIVEN(LOAD, 4), GIVEN(LOAD, 5);                                                            \
        }                                                                                              \
        if (AES_KEY_WORDS > 6) {                                                                       \
            GIVEN(LOAD, 6), GIVEN(LOAD, 7);                                                            \
        }                                                                                              \
    } while (0)

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t expand(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    uint32_t        word[LONGEST] = {0}, *w = keys->w;
    const uint32_t *end      = w + 4 * (AES_ROUNDS + 1);
    const uint8_t  *constant = AES(constants);
    if (has_words(key)) {
        ALL_GIVEN(load_word_le);
    } else {
        ALL_GIVEN(load32_le);
    }
    for (;;) {
        w += AES_KEY_WORDS;
        NEXT(0, aes_substituted_turned(word[AES_KEY_WORDS - 1]) ^ *constant++);
        NEXT(1, word[0]), NEXT(2, word[1]), NEXT(3, word[2]);
        if (w + 4 == end) {
            break;
        }
        if (AES_KEY_WORDS > 4) {
            NEXT(4, AES_KEY_WORDS == 8 ? aes_substituted(word[3]) : word[3]), NEXT(5, word[4]);
        }
        if (AES_KEY_WORDS > 6) {
            NEXT(6, word[5]), NEXT(7, word[6]);
        }
    }
    return stack_depth();
}

void AES(expand)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
