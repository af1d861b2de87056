/* MD4 in little code: padding and blocks (RFC 1320, sections 3.1 to 3.3 and 3.5). */

#include "md4.h"

#include "bytes.h"
#include "wiping.h"

void md4_init(MD4 *hash)
{
    static const uint32_t initial[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for (unsigned i = 0; i < 4; i++) {
        hash->state[i] = initial[i];
    }
    hash->size = 0;
}

void md4_update(MD4 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    for (; size > 0; size--) {
        hash->block[hash->size++ % MD4_BLOCK] = *message++;
        if (hash->size % MD4_BLOCK == 0) {
            depth = md4_compress(hash->state, hash->block);
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

void md4_final(MD4 *hash, uint8_t digest[MD4_BYTES])
{
    uintptr_t depth = stack_depth();
    const uint32_t bits[2] = {(uint32_t)hash->size << 3, (uint32_t)(hash->size >> 29)};
    uint8_t        byte    = 0x80;
    while (md4_update(hash, &byte, 1), hash->size % MD4_BLOCK != MD4_BLOCK - 8) {
        byte = 0;
    }
    unpack(bits, hash->block + MD4_BLOCK - 8, 8);
    depth = md4_compress(hash->state, hash->block);
    unpack(hash->state, digest, MD4_BYTES);
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
