/* SHA-256 (FIPS 180-4), with the block stored as words, which the message schedule overwrites. */

#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK_BYTES = 64, SHA256_WORDS = 8 };

typedef struct {
    uint32_t state[SHA256_WORDS];
    uint32_t w[16];
    uint64_t size; /* bytes so far */
} SHA256;

void sha256_init(SHA256 *hash);
void sha256_update(SHA256 *hash, const uint8_t *message, size_t size);
void sha256_final(SHA256 *hash, uint8_t digest[SHA256_BYTES]);

extern const uint32_t sha256_initial[SHA256_WORDS];
extern const uint32_t sha256_constant[64];

#endif
