/* Processes whole blocks in place, without a copy byte by byte. */

#include "sha256.h"

void sha256_update(SHA256 *hash, const uint8_t *message, size_t size)
{
    while (size > 0) {
        size_t filled = hash->size % SHA256_BLOCK_BYTES;
        size_t taken  = SHA256_BLOCK_BYTES - filled < size ? SHA256_BLOCK_BYTES - filled : size;
        hash->size += taken;
        size -= taken;
        if (taken == SHA256_BLOCK_BYTES) {
            sha256_compress(hash->state, message);
            message += taken;
            continue;
        }
        for (size_t i = 0; i < taken; i++) {
            hash->block[filled + i] = *message++;
        }
        if (filled + taken == SHA256_BLOCK_BYTES) {
            sha256_compress(hash->state, hash->block);
        }
    }
}
