/* Threefish, eight rounds per iteration ("The Skein Hash Function Family", version 1.3, sections 3.3 and 3.4): key and
 * tweak are stored repeatedly, so that indices do not wrap around. */

#include "bytes.h"
#include "compress.h"
#include "keep.h"
#include "rounds.h"
#include "wiping.h"

enum { KEYS = SKEIN_ROUNDS / 4 + 1 };

/* Adds the words of a subkey without the subkey number. */
#if SKEIN_BYTES == 32
#define ADD_WORDS()                                                                                     \
    do {                                                                                                \
        x0 += key[0], x1 += key[1] + tweak[0], x2 += key[2] + tweak[1], x3 += key[3] + number;          \
    } while (0)
#else
#define ADD_WORDS()                                                                                     \
    do {                                                                                                \
        x0 += key[0], x1 += key[1], x2 += key[2], x3 += key[3], x4 += key[4];                           \
        x5 += key[5] + tweak[0], x6 += key[6] + tweak[1], x7 += key[7] + number;                        \
    } while (0)
#endif

#if SKEIN_BYTES == 32
#define FORGET_KEY() (void)0
#else
#define FORGET_KEY() KEEP(key, tweak)
#endif

#define ADD_KEY()                                                                                       \
    do {                                                                                                \
        ADD_WORDS();                                                                                    \
        key++, tweak++, number++;                                                                       \
        FORGET_KEY();                                                                                   \
    } while (0)

uintptr_t SKEIN_NAME(compress)(uint64_t chain[SKEIN_WORDS], const uint8_t *block, uint64_t position,
                          uint32_t type)
{
    uint64_t words[SKEIN_WORDS], keys[SKEIN_WORDS + KEYS], tweaks[KEYS + 1];
    uint64_t parity = SKEIN_PARITY;
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        words[i] = load64_le(block + 8 * i);
        parity ^= keys[i] = chain[i];
    }
    keys[SKEIN_WORDS] = parity;
    for (unsigned i = SKEIN_WORDS + 1; i < SKEIN_WORDS + KEYS; i++) {
        keys[i] = keys[i - SKEIN_WORDS - 1];
    }
    tweaks[0] = position;
    tweaks[1] = (uint64_t)(position <= SKEIN_BYTES ? type | SKEIN_FIRST : type) << 32;
    for (unsigned i = 2; i < KEYS + 1; i++) {
        tweaks[i] = tweaks[i - 1] ^ tweaks[i - 2];
    }
    const uint64_t *key = keys, *tweak = tweaks;
    uint32_t        number = 0;
    uint64_t        x0 = words[0], x1 = words[1], x2 = words[2], x3 = words[3];
#if SKEIN_BYTES == 64
    uint64_t x4 = words[4], x5 = words[5], x6 = words[6], x7 = words[7];
#endif
    while (number < KEYS - 1) {
        EIGHT_ROUNDS();
    }
    ADD_WORDS();
    chain[0] = x0 ^ words[0], chain[1] = x1 ^ words[1], chain[2] = x2 ^ words[2], chain[3] = x3 ^ words[3];
#if SKEIN_BYTES == 64
    chain[4] = x4 ^ words[4], chain[5] = x5 ^ words[5], chain[6] = x6 ^ words[6], chain[7] = x7 ^ words[7];
#endif
    return stack_depth();
}
