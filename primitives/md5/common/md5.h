/* MD5 (RFC 1321), with an incremental interface. Collisions can be found in seconds: it is for old protocols only. */

#ifndef MD5_H
#define MD5_H

#include <stddef.h>
#include <stdint.h>

enum { MD5_BYTES = 16, MD5_BLOCK = 64 };

typedef struct {
    uint32_t state[4];
    uint64_t size; /* bytes so far */
    uint8_t  block[MD5_BLOCK];
} MD5;

void md5_init(MD5 *hash);
void md5_update(MD5 *hash, const uint8_t *message, size_t size);
void md5_final(MD5 *hash, uint8_t digest[MD5_BYTES]); /* wipes the state */

/* The compression function (section 3.4). Returns its stack depth. */
uintptr_t md5_compress(uint32_t state[4], const uint8_t block[MD5_BLOCK]);

#endif
