/* Grøstl: blocks, padding and output ("Grøstl - a SHA-3 candidate", version 2.0, sections 3.2 to 3.6). Whole blocks are
 * processed without a copy. */

#include "bytes.h"
#include "tables.h"
#include "wiping.h"

static void add(uint32_t *sum, const uint32_t *other)
{
    for (unsigned i = 0; i < GROESTL_WORDS; i++) {
        sum[i] ^= other[i];
    }
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t compress(uint32_t *chain, const uint8_t *block)
{
    uint32_t message[GROESTL_WORDS], sum[GROESTL_WORDS];
    for (unsigned i = 0; i < GROESTL_WORDS; i++) {
        message[i] = load32_le(block + 4 * i);
        sum[i]     = message[i] ^ chain[i];
    }
    uintptr_t depth = GROESTL_NAME(permute_p)(sum);
    depth = deeper(depth, GROESTL_NAME(permute_q)(message));
    add(chain, sum);
    add(chain, message);
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
    while (size > 0) {
        size_t filled = (size_t)hash->size % GROESTL_BLOCK;
        size_t taken  = GROESTL_BLOCK - filled < size ? GROESTL_BLOCK - filled : size;
        hash->size += taken;
        size -= taken;
        if (taken == GROESTL_BLOCK) {
            depth = compress(hash->chain, message);
            message += taken;
            continue;
        }
        for (uint8_t *at = hash->block + filled, *end = at + taken; at < end; at++) {
            *at = *message++;
        }
        if (filled + taken == GROESTL_BLOCK) {
            depth = compress(hash->chain, hash->block);
        }
    }
    wipe_below(depth);
}

/* Padding; the last block ends with the number of blocks. Returns its stack depth. */
static inline uintptr_t pad(GROESTL *hash)
{
    size_t filled = (size_t)hash->size % GROESTL_BLOCK;
    hash->block[filled++] = 0x80;
    if (filled > GROESTL_BLOCK - 8) {
        wipe(hash->block + filled, GROESTL_BLOCK - filled);
        (void)compress(hash->chain, hash->block);
        filled = 0;
    }
    wipe(hash->block + filled, GROESTL_BLOCK - filled);
    store64_be(hash->block + GROESTL_BLOCK - 8, (hash->size + 8) / GROESTL_BLOCK + 1);
    return compress(hash->chain, hash->block);
}

void GROESTL_NAME(final)(GROESTL *hash, uint8_t digest[GROESTL_BYTES])
{
    uint32_t  last[GROESTL_WORDS];
    uintptr_t depth = pad(hash);
    for (unsigned i = 0; i < GROESTL_WORDS; i++) {
        last[i] = hash->chain[i];
    }
    depth = deeper(depth, GROESTL_NAME(permute_p)(last));
    add(hash->chain, last);
    for (unsigned i = 0; i < GROESTL_BYTES / 4; i++) {
        store32_le(digest + 4 * i, hash->chain[GROESTL_WORDS / 2 + i]);
    }
    wipe(hash, sizeof *hash);
    wipe_aligned(last, sizeof last);
    wipe_below(depth);
}
