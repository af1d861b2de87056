/* Grøstl in little memory: blocks, padding and output ("Grøstl - a SHA-3 candidate", version 2.0, sections 3.2 to 3.6).
 * The permutation Q works in the block buffer. */

#include "bytes.h"
#include "permute.h"
#include "wiping.h"

static void add(uint32_t *sum, const uint32_t *other)
{
    for (unsigned i = 0; i < GROESTL_WORDS; i++) {
        sum[i] ^= other[i];
    }
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t compress(GROESTL *hash)
{
    uint32_t sum[GROESTL_WORDS];
    for (unsigned i = 0; i < GROESTL_WORDS; i++) {
        sum[i] = hash->chain[i] ^ hash->block[i];
    }
    uintptr_t depth = GROESTL_NAME(permute)(sum, 0);
    GROESTL_NAME(permute)(hash->block, 0xffffffff);
    add(hash->chain, sum);
    add(hash->chain, hash->block);
    return depth;
}

void GROESTL_NAME(init)(GROESTL *hash)
{
    wipe(hash, sizeof *hash);
    hash->chain[GROESTL_WORDS - 1] = (uint32_t)GROESTL_BYTES / 32 << 16;
}

void GROESTL_NAME(update)(GROESTL *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        ((uint8_t *)hash->block)[place((unsigned)hash->size++ % GROESTL_BLOCK)] = *message++;
        if (hash->size % GROESTL_BLOCK == 0) {
            depth = compress(hash);
        }
    }
    wipe_below(depth);
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t finish(GROESTL *hash, uint8_t digest[GROESTL_BYTES])
{
    digest[0] = 0x80;
    do {
        GROESTL_NAME(update)(hash, digest, 1);
        digest[0] = 0;
    } while (hash->size % GROESTL_BLOCK != GROESTL_BLOCK - 8);
    /* The number of blocks including this one, highest byte first. */
    store64_be(digest, hash->size / GROESTL_BLOCK + 1);
    GROESTL_NAME(update)(hash, digest, 8);
    for (unsigned i = 0; i < GROESTL_WORDS; i++) {
        hash->block[i] = hash->chain[i];
    }
    uintptr_t depth = GROESTL_NAME(permute)(hash->block, 0);
    add(hash->chain, hash->block);
    for (unsigned i = 0; i < GROESTL_BYTES / 4; i++) {
        store32_le(digest + 4 * i, hash->chain[GROESTL_WORDS / 2 + i]);
    }
    wipe(hash, sizeof *hash);
    return no_tail_call(depth);
}

void GROESTL_NAME(final)(GROESTL *hash, uint8_t digest[GROESTL_BYTES])
{
    wipe_below(finish(hash, digest));
}
