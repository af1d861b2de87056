/* MD5, fast: padding and blocks (RFC 1321, sections 3.1 to 3.3 and 3.5); whole blocks are processed without a copy. */

#include "md5.h"

#include "words.h"
#include "wiping.h"

void md5_init(MD5 *hash)
{
    hash->state[0] = 0x67452301;
    hash->state[1] = 0xefcdab89;
    hash->state[2] = 0x98badcfe;
    hash->state[3] = 0x10325476;
    hash->size     = 0;
}

/* Copies bytes into the block from `at` on; returns the number of bytes copied. */
static size_t fill(MD5 *hash, size_t at, const uint8_t *message, size_t size)
{
    size_t   used = size < MD5_BLOCK - at ? size : MD5_BLOCK - at;
    uint8_t *to   = hash->block + at;
    for (const uint8_t *end = message + used; message < end;) {
        *to++ = *message++;
    }
    return used;
}

void md5_update(MD5 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    size_t at = hash->size % MD5_BLOCK;
    hash->size += size;
    if (at > 0) {
        size_t used = fill(hash, at, message, size);
        if (at + used == MD5_BLOCK) {
            depth = md5_compress(hash->state, hash->block);
        }
        message += used;
        size -= used;
    }
    for (; size >= MD5_BLOCK; size -= MD5_BLOCK) {
        depth = md5_compress(hash->state, message);
        message += MD5_BLOCK;
    }
    fill(hash, 0, message, size);
    wipe_below(depth);
}

void md5_final(MD5 *hash, uint8_t digest[MD5_BYTES])
{
    uintptr_t depth = stack_depth();
    unsigned at       = hash->size % MD5_BLOCK;
    hash->block[at++] = 0x80;
    if (at > MD5_BLOCK - 8) {
        clear(hash->block + at, hash->block + MD5_BLOCK);
        depth = md5_compress(hash->state, hash->block);
        at = 0;
    }
    clear(hash->block + at, hash->block + MD5_BLOCK - 8);
    store64_le(hash->block + MD5_BLOCK - 8, 8 * hash->size);
    depth = md5_compress(hash->state, hash->block);
    for (unsigned i = 0; i < 4; i++) {
        store32_le(digest + 4 * i, hash->state[i]);
    }
    clear(hash, hash + 1);
    wipe_below(depth);
}
