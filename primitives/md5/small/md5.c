/* MD5 in little code: padding and blocks (RFC 1321, sections 3.1 to 3.3 and 3.5). */

#include "md5.h"

#include "bytes.h"
#include "wiping.h"

void md5_init(MD5 *hash)
{
    static const uint32_t initial[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for (unsigned i = 0; i < 4; i++) {
        hash->state[i] = initial[i];
    }
    hash->size = 0;
}

void md5_update(MD5 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    for (; size > 0; size--) {
        hash->block[hash->size++ % MD5_BLOCK] = *message++;
        if (hash->size % MD5_BLOCK == 0) {
            depth = md5_compress(hash->state, hash->block);
        }
    }
    wipe_below(depth);
}

/* Stores words as bytes, lowest first. */
static void unpack(const uint32_t *words, uint8_t *bytes, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    }
}

void md5_final(MD5 *hash, uint8_t digest[MD5_BYTES])
{
    uintptr_t depth = stack_depth();
    const uint32_t bits[2] = {(uint32_t)hash->size << 3, (uint32_t)(hash->size >> 29)};
    uint8_t        byte    = 0x80;
    while (md5_update(hash, &byte, 1), hash->size % MD5_BLOCK != MD5_BLOCK - 8) {
        byte = 0;
    }
    unpack(bits, hash->block + MD5_BLOCK - 8, 8);
    depth = md5_compress(hash->state, hash->block);
    unpack(hash->state, digest, MD5_BYTES);
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
