/* MD2 (RFC 1319), with an incremental interface. It is withdrawn: for old signatures only. */

#ifndef MD2_H
#define MD2_H

#include <stddef.h>
#include <stdint.h>

enum { MD2_BYTES = 16, MD2_BLOCK = 16 };

/* The first third of the state is the hash, the second the current block. */
typedef struct {
    uint8_t state[3 * MD2_BLOCK];
    uint8_t checksum[MD2_BLOCK];
    uint8_t used; /* bytes in the block */
} MD2;

void md2_init(MD2 *hash);
void md2_update(MD2 *hash, const uint8_t *message, size_t size);
void md2_final(MD2 *hash, uint8_t digest[MD2_BYTES]); /* wipes the state */

/* Adds the block to the checksum and the hash (sections 3.2 and 3.4). */
uintptr_t md2_compress(MD2 *hash);

extern const uint8_t md2_pi[256];

#endif
