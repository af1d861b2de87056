/* SHA-256 (FIPS 180-4), fast: whole blocks are processed without a copy. */

#include "bytes.h"
#include "sha256_take.h"
#include "wiping.h"

void sha256_init(SHA256 *hash)
{
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        hash->state[i] = sha256_initial[i];
    }
    hash->size = 0;
}

/* Copies bytes into the incomplete block; returns the number of bytes copied. */
static size_t fill(SHA256 *hash, const uint8_t *message, size_t size)
{
    size_t at   = hash->size % SHA256_BLOCK_BYTES;
    size_t room = SHA256_BLOCK_BYTES - at;
    size_t take = size < room ? size : room;
    for (size_t i = 0; i < take; i++) {
        hash->block[at + i] = message[i];
    }
    hash->size += take;
    return take;
}

void sha256_update(SHA256 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size > 0) {
        if (hash->size % SHA256_BLOCK_BYTES == 0 && size >= SHA256_BLOCK_BYTES) {
            depth = sha256_take(hash->state, message);
            hash->size += SHA256_BLOCK_BYTES;
            message += SHA256_BLOCK_BYTES;
            size -= SHA256_BLOCK_BYTES;
            continue;
        }
        size_t took = fill(hash, message, size);
        if (hash->size % SHA256_BLOCK_BYTES == 0) {
            depth = sha256_take(hash->state, hash->block);
        }
        message += took;
        size -= took;
    }
    wipe_below(depth);
}

/* Clears a block's bytes from `at` to `end`, a multiple of four. */
static void clear(uint8_t block[SHA256_BLOCK_BYTES], unsigned at, unsigned end)
{
    for (; at % 4 != 0; at++) {
        block[at] = 0;
    }
    for (; at < end; at += 4) {
        store32_be(block + at, 0);
    }
}

void sha256_final(SHA256 *hash, uint8_t digest[SHA256_BYTES])
{
    uintptr_t depth = stack_depth();
    uint64_t bits = 8 * hash->size;
    unsigned at   = (unsigned)hash->size % SHA256_BLOCK_BYTES;
    hash->block[at++] = 0x80;
    if (at > SHA256_BLOCK_BYTES - 8) {
        clear(hash->block, at, SHA256_BLOCK_BYTES);
        depth = sha256_take(hash->state, hash->block);
        at = 0;
    }
    clear(hash->block, at, SHA256_BLOCK_BYTES - 8);
    store64_be(hash->block + SHA256_BLOCK_BYTES - 8, bits);
    depth = sha256_take(hash->state, hash->block);
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        store32_be(digest + 4 * i, hash->state[i]);
    }
    wipe_aligned(hash, sizeof *hash);
    wipe_below(depth);
}
