/* Ed25519 (RFC 8032, section 5.1). */

#ifndef ED25519_H
#define ED25519_H

#include <stddef.h>
#include <stdint.h>

enum { ED25519_SECRET_BYTES = 32, ED25519_PUBLIC_BYTES = 32, ED25519_SIGNATURE_BYTES = 64 };

/* Computes the public key of a secret key, which is the seed. */
void ed25519_public(const uint8_t secret[ED25519_SECRET_BYTES], uint8_t public[ED25519_PUBLIC_BYTES]);

void ed25519_sign(const uint8_t secret[ED25519_SECRET_BYTES], const uint8_t *message, size_t size,
                  uint8_t signature[ED25519_SIGNATURE_BYTES]);

/* Returns 0 if the signature is valid, otherwise -1. The verification equation is the one without the cofactor; keys
 * and scalars that are not reduced are refused. */
int ed25519_verify(const uint8_t public[ED25519_PUBLIC_BYTES], const uint8_t *message, size_t size,
                   const uint8_t signature[ED25519_SIGNATURE_BYTES]);

#endif
