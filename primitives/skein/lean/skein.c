/* Skein in little memory ("The Skein Hash Function Family", version 1.3, sections 3.3 to 3.5): the words of a block are
 * in registers, and the chaining value is the key, which rotates in place. */

#include "bytes.h"
#include "keep.h"
#include "rounds.h"
#include "skein.h"
#include "skein_initial.h"
#include "wiping.h"

/* A word of the block, and the new word of the chaining value. */
#define BLOCK(i) (hash->block[2 * (i)] | (uint64_t)hash->block[2 * (i) + 1] << 32)
#define CHAIN(i, x) hash->chain[i] = (x) ^ BLOCK(i)

/* Adds a word of the key, and moves it to the position of its predecessor. */
#define ADD_WORD(x, i)                                                                                  \
    do {                                                                                                \
        (x) += key[i];                                                                                  \
        key[(i) - 1] = key[i];                                                                          \
        KEEP(key, hash);                                                                                \
    } while (0)

#if SKEIN_BYTES == 32
#define ADD_WORDS() ADD_WORD(x1, 1); ADD_WORD(x2, 2); ADD_WORD(x3, 3)
#define ADD_TWEAK() x1 += tweak, x2 += next, x3 += number
#else
#define ADD_WORDS()                                                                                     \
    ADD_WORD(x1, 1); ADD_WORD(x2, 2); ADD_WORD(x3, 3); ADD_WORD(x4, 4); ADD_WORD(x5, 5); ADD_WORD(x6, 6); \
    ADD_WORD(x7, 7)
#define ADD_TWEAK() x5 += tweak, x6 += next, x7 += number
#endif

#define ADD_KEY()                                                                                       \
    do {                                                                                                \
        uint64_t first = key[0];                                                                        \
        x0 += first;                                                                                    \
        ADD_WORDS();                                                                                    \
        key[SKEIN_WORDS - 1] = key[SKEIN_WORDS];                                                        \
        key[SKEIN_WORDS]     = first;                                                                   \
        ADD_TWEAK();                                                                                    \
        first = tweak ^ next;                                                                           \
        tweak = next;                                                                                   \
        next  = first;                                                                                  \
        number++;                                                                                       \
    } while (0)

/* Adds the block, which ends at `position`, to the chaining value, and clears it. Returns its stack depth. */
static NOINLINE uintptr_t compress(SKEIN *hash, uint64_t position, uint32_t type)
{
    uint64_t *key   = hash->chain;
    uint64_t  tweak = position, next = (uint64_t)(position <= SKEIN_BYTES ? type | SKEIN_FIRST : type) << 32;
    uint64_t  x0 = BLOCK(0), x1 = BLOCK(1), x2 = BLOCK(2), x3 = BLOCK(3);
#if SKEIN_BYTES == 64
    uint64_t x4 = BLOCK(4), x5 = BLOCK(5), x6 = BLOCK(6), x7 = BLOCK(7);
#endif
    key[SKEIN_WORDS] = SKEIN_PARITY;
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        key[SKEIN_WORDS] ^= key[i];
    }
    for (uint32_t number = 0;;) {
        if (number == SKEIN_ROUNDS / 4) {
            ADD_KEY();
            break;
        }
        EIGHT_ROUNDS();
    }
    CHAIN(0, x0), CHAIN(1, x1), CHAIN(2, x2), CHAIN(3, x3);
#if SKEIN_BYTES == 64
    CHAIN(4, x4), CHAIN(5, x5), CHAIN(6, x6), CHAIN(7, x7);
#endif
    for (unsigned i = 0; i < 2 * SKEIN_WORDS; i++) {
        hash->block[i] = 0;
    }
    return stack_depth();
}

void SKEIN_NAME(init)(SKEIN *hash)
{
    wipe(hash, sizeof *hash);
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        hash->chain[i] = initial[i];
    }
}

/* A full block is processed when more bytes come, because it is not the last one then. */
void SKEIN_NAME(update)(SKEIN *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        if (hash->size > 0 && hash->size % SKEIN_BYTES == 0) {
            depth = compress(hash, hash->size, SKEIN_MESSAGE);
        }
        hash->block[hash->size % SKEIN_BYTES / 4] |= (uint32_t)*message++ << 8 * (hash->size % 4);
        hash->size++;
    }
    wipe_below(depth);
}

void SKEIN_NAME(final)(SKEIN *hash, uint8_t digest[SKEIN_BYTES])
{
    uintptr_t depth = stack_depth();
    depth = compress(hash, hash->size, SKEIN_MESSAGE | SKEIN_LAST);
    depth = compress(hash, 8, SKEIN_OUTPUT | SKEIN_LAST);
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        store64_le(digest + 8 * i, hash->chain[i]);
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
