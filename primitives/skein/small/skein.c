/* Skein in little code ("The Skein Hash Function Family", version 1.3, sections 3.3 to 3.5). */

#include "bytes.h"
#include "skein.h"
#include "wiping.h"

/* Rotations (table 4). For four words, the order of the two pairs is swapped in every second round. */
static const uint8_t rotation[8][SKEIN_WORDS / 2] = {
#if SKEIN_BYTES == 32
    {14, 16}, {57, 52}, {23, 40}, {37, 5}, {25, 33}, {12, 46}, {58, 22}, {32, 32},
#else
    {46, 36, 19, 37}, {33, 27, 14, 42}, {17, 49, 36, 39}, {44, 9, 54, 56},
    {39, 30, 34, 24}, {13, 50, 10, 17}, {25, 29, 39, 43}, {8, 35, 56, 22},
#endif
};

/* A round. Words keep their positions: instead of the permutation the pairs change, with a period of four rounds. */
static void mix(uint64_t x[SKEIN_WORDS], unsigned round)
{
    unsigned step = round % 2 ? -2u : 2, odd = 1, even = 2 * round;
    for (unsigned i = 0; i < SKEIN_WORDS / 2; i++) {
        uint64_t *first = &x[even % SKEIN_WORDS], *second = &x[odd % SKEIN_WORDS];
        *first += *second;
        *second = rotl64(*second, rotation[round % 8][i]) ^ *first;
        even += 2;
        odd += step;
    }
}

/* Adds words of the key, which rotates by one. */
static void add_key(uint64_t x[SKEIN_WORDS], uint64_t key[SKEIN_WORDS + 1])
{
    uint64_t first = key[0];
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        x[i] += key[i];
        key[i] = key[i + 1];
    }
    key[SKEIN_WORDS] = first;
}

/* Adds the block, which ends at `position`, to the chaining value, and clears it. Returns its stack depth. */
static NOINLINE uintptr_t compress(SKEIN *hash, uint64_t position, uint32_t type)
{
    uint64_t x[SKEIN_WORDS];
    uint64_t tweak = position, next = (uint64_t)(position <= SKEIN_BYTES ? type | SKEIN_FIRST : type) << 32;
    hash->chain[SKEIN_WORDS] = SKEIN_PARITY;
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        x[i] = hash->block[2 * i] | (uint64_t)hash->block[2 * i + 1] << 32;
        hash->chain[SKEIN_WORDS] ^= hash->chain[i];
    }
    for (unsigned round = 0;; round++) {
        if (round % 4 == 0) {
            add_key(x, hash->chain);
            x[SKEIN_WORDS - 3] += tweak;
            x[SKEIN_WORDS - 2] += next;
            x[SKEIN_WORDS - 1] += round / 4;
            uint64_t third = tweak ^ next;
            tweak          = next;
            next           = third;
        }
        if (round == SKEIN_ROUNDS) {
            break;
        }
        mix(x, round);
    }
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        hash->chain[i] = x[i] ^ (hash->block[2 * i] | (uint64_t)hash->block[2 * i + 1] << 32);
        hash->block[2 * i] = hash->block[2 * i + 1] = 0;
    }
    return stack_depth();
}

/* The configuration: "SHA3", version 1, and the length of the digest in bits (section 3.5.2). */
void SKEIN_NAME(init)(SKEIN *hash)
{
    wipe(hash, sizeof *hash);
    hash->block[0] = 0x33414853;
    hash->block[1] = 1;
    hash->block[2] = 8 * SKEIN_BYTES;
    (void)compress(hash, 32, SKEIN_CONFIGURATION | SKEIN_LAST);
}

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
    for (unsigned i = 0; i < SKEIN_BYTES; i++) {
        digest[i] = (uint8_t)hash->chain[i / 8];
        hash->chain[i / 8] >>= 8;
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
