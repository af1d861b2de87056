/* The operations of ecdsa_secp160r1.h with a secret, without wiping of the stack. */

#ifndef RAW_H
#define RAW_H

#include "ecdsa_secp160r1.h"

#define raw_public ecdsa_secp160r1_raw_public
#define raw_sign   ecdsa_secp160r1_raw_sign
#define raw_shared ecdsa_secp160r1_raw_shared

int raw_public(const uint8_t secret[21], uint8_t public[40]);
int raw_sign(const uint8_t secret[21], const uint8_t *digest, size_t digest_size, const uint8_t nonce[21],
             uint8_t signature[42]);
int raw_shared(const uint8_t secret[21], const uint8_t peer[40], uint8_t shared[20]);

#endif
