/* Padding and blocks (FIPS 180-4, section 5). */

#include "sha256.h"

void sha256_init(SHA256 *hash)
{
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        hash->state[i] = sha256_initial[i];
    }
    hash->size = 0;
}

void sha256_update(SHA256 *hash, const uint8_t *message, size_t size)
{
    while (size-- > 0) {
        hash->block[hash->size++ % SHA256_BLOCK_BYTES] = *message++;
        if (hash->size % SHA256_BLOCK_BYTES == 0) {
            sha256_compress(hash->state, hash->block);
        }
    }
}

void sha256_final(SHA256 *hash, uint8_t digest[SHA256_BYTES])
{
    static const uint8_t one = 0x80, zero = 0;
    uint8_t              length[8];
    for (unsigned i = 0; i < 8; i++) {
        length[i] = (uint8_t)(8 * hash->size >> (56 - 8 * i));
    }
    sha256_update(hash, &one, 1);
    while (hash->size % SHA256_BLOCK_BYTES != SHA256_BLOCK_BYTES - sizeof length) {
        sha256_update(hash, &zero, 1);
    }
    sha256_update(hash, length, sizeof length);
    for (unsigned i = 0; i < SHA256_BYTES; i++) {
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
    }
    for (volatile uint8_t *at = hash->block; at < hash->block + SHA256_BLOCK_BYTES; at++) {
        *at = 0;
    }
}
