/* SHA-512: bytes, blocks and padding (FIPS 180-4, section 5). Whole blocks are processed without a copy. */

#include "bytes.h"
#include "compress.h"
#include "sha512_constants.h"
#include "wiping.h"

void SHA512_NAME(init)(SHA512 *hash)
{
    for (unsigned i = 0; i < SHA512_STATE; i++) {
        hash->words[i] = initial[i];
    }
    hash->size = 0;
}

void SHA512_NAME(update)(SHA512 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    uint8_t *block = (uint8_t *)(hash->words + SHA512_STATE);
    while (size > 0) {
        size_t filled = (size_t)hash->size % SHA512_BLOCK_BYTES;
        size_t taken  = SHA512_BLOCK_BYTES - filled < size ? SHA512_BLOCK_BYTES - filled : size;
        hash->size += taken;
        size -= taken;
        if (taken == SHA512_BLOCK_BYTES) {
            depth = SHA512_NAME(compress)(hash->words, message);
            message += taken;
            continue;
        }
        for (uint8_t *at = block + filled, *end = at + taken; at < end; at++) {
            *at = *message++;
        }
        if (filled + taken == SHA512_BLOCK_BYTES) {
            depth = SHA512_NAME(compress)(hash->words, block);
        }
    }
    wipe_below(depth);
}

/* Clears a block's bytes from `at` to `end`, a multiple of four. */
static void clear(uint8_t block[SHA512_BLOCK_BYTES], size_t at, size_t end)
{
    for (; at % 4 != 0; at++) {
        block[at] = 0;
    }
    wipe_aligned(block + at, end - at);
}

void SHA512_NAME(final)(SHA512 *hash, uint8_t digest[SHA512_BYTES])
{
    uintptr_t depth = stack_depth();
    uint8_t *block  = (uint8_t *)(hash->words + SHA512_STATE);
    size_t   filled = (size_t)hash->size % SHA512_BLOCK_BYTES;
    block[filled++] = 0x80;
    if (filled > SHA512_BLOCK_BYTES - 16) {
        clear(block, filled, SHA512_BLOCK_BYTES);
        depth = SHA512_NAME(compress)(hash->words, block);
        filled = 0;
    }
    clear(block, filled, SHA512_BLOCK_BYTES - 8);
    store64_be(block + SHA512_BLOCK_BYTES - 8, 8 * hash->size);
    depth = SHA512_NAME(compress)(hash->words, block);
    for (unsigned i = 0; i < SHA512_BYTES; i += 8) {
        store64_be(digest + i, hash->words[i / 8]);
    }
    wipe_aligned(hash, sizeof *hash);
    wipe_below(depth);
}
