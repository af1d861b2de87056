/* Skein: bytes, blocks and output ("The Skein Hash Function Family", version 1.3, sections 3.4 and 3.5). Whole blocks
 * are processed without a copy. */

#include "bytes.h"
#include "compress.h"
#include "skein_initial.h"
#include "wiping.h"

void SKEIN_NAME(init)(SKEIN *hash)
{
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        hash->chain[i] = initial[i];
    }
    hash->size = 0;
}

/* Processes blocks only if more bytes of the message follow, because the last block has a flag. */
void SKEIN_NAME(update)(SKEIN *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    uint8_t *block  = (uint8_t *)hash->block;
    size_t   filled = (size_t)hash->size % SKEIN_BYTES;
    if (filled == 0 && hash->size > 0) {
        filled = SKEIN_BYTES;
    }
    while (size > 0) {
        if (filled == SKEIN_BYTES) {
            depth = SKEIN_NAME(compress)(hash->chain, block, hash->size, SKEIN_MESSAGE);
            filled = 0;
        }
        while (filled == 0 && size > SKEIN_BYTES) {
            hash->size += SKEIN_BYTES;
            depth = SKEIN_NAME(compress)(hash->chain, message, hash->size, SKEIN_MESSAGE);
            message += SKEIN_BYTES;
            size -= SKEIN_BYTES;
        }
        size_t taken = SKEIN_BYTES - filled < size ? SKEIN_BYTES - filled : size;
        hash->size += taken;
        size -= taken;
        for (uint8_t *at = block + filled, *end = at + taken; at < end; at++) {
            *at = *message++;
        }
        filled += taken;
    }
    wipe_below(depth);
}

void SKEIN_NAME(final)(SKEIN *hash, uint8_t digest[SKEIN_BYTES])
{
    uintptr_t depth = stack_depth();
    uint8_t *block  = (uint8_t *)hash->block;
    size_t   filled = (size_t)hash->size % SKEIN_BYTES;
    if (filled > 0 || hash->size == 0) {
        wipe(block + filled, SKEIN_BYTES - filled);
    }
    depth = SKEIN_NAME(compress)(hash->chain, block, hash->size, SKEIN_MESSAGE | SKEIN_LAST);
    wipe(block, SKEIN_BYTES);
    depth = SKEIN_NAME(compress)(hash->chain, block, 8, SKEIN_OUTPUT | SKEIN_LAST);
    for (unsigned i = 0; i < SKEIN_WORDS; i++) {
        store64_le(digest + 8 * i, hash->chain[i]);
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
