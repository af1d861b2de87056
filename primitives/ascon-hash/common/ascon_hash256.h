/* Ascon-Hash256 (NIST SP 800-232, section 5.1). */

#ifndef ASCON_HASH256_H
#define ASCON_HASH256_H

#include "ascon.h"

enum { ASCON_HASH256_BYTES = 32, ASCON_HASH256_RATE = 8 };

typedef struct {
    ASCON_STATE state;
    uint32_t    filled; /* bytes of the block already absorbed */
} ASCON_HASH256;

void ascon_hash256_init(ASCON_HASH256 *hash);
void ascon_hash256_update(ASCON_HASH256 *hash, const uint8_t *message, size_t size);
void ascon_hash256_final(ASCON_HASH256 *hash, uint8_t digest[ASCON_HASH256_BYTES]);

#endif
