/* SHA-256 (FIPS 180-4). */

#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK_BYTES = 64, SHA256_WORDS = 8 };

typedef struct {
    uint32_t state[SHA256_WORDS];
    uint64_t size; /* bytes so far */
    uint8_t  block[SHA256_BLOCK_BYTES];
} SHA256;

void sha256_init(SHA256 *hash);
void sha256_update(SHA256 *hash, const uint8_t *message, size_t size);
void sha256_final(SHA256 *hash, uint8_t digest[SHA256_BYTES]);

/* The compression function: adds a block to the state (section 6.2.2). */
void sha256_compress(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES]);

extern const uint32_t sha256_initial[SHA256_WORDS];
extern const uint32_t sha256_constant[64];

/* A word from bytes, highest first. */
static inline uint32_t sha256_load(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

#endif
