/* MD4 (RFC 1320), with an incremental interface. Collisions can be found by hand: it is for old protocols only. */

#ifndef MD4_H
#define MD4_H

#include <stddef.h>
#include <stdint.h>

enum { MD4_BYTES = 16, MD4_BLOCK = 64 };

typedef struct {
    uint32_t state[4];
    uint64_t size; /* bytes so far */
    uint8_t  block[MD4_BLOCK];
} MD4;

void md4_init(MD4 *hash);
void md4_update(MD4 *hash, const uint8_t *message, size_t size);
void md4_final(MD4 *hash, uint8_t digest[MD4_BYTES]); /* wipes the state */

/* The compression function (section 3.4). Returns its stack depth. */
uintptr_t md4_compress(uint32_t state[4], const uint8_t block[MD4_BLOCK]);

#endif
