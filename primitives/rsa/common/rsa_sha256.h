/* SHA-256 (FIPS 180-4) as used by OAEP. */

#ifndef RSA_SHA256_H
#define RSA_SHA256_H

#include "rsa.h"

/* The digest of a message followed by the four bytes of `tail`, highest first, unless `tail_size` is 0. */
void RSA(sha256)(const uint8_t *message, size_t size, uint32_t tail, size_t tail_size,
                 uint8_t digest[RSA_DIGEST_BYTES]);

#endif
