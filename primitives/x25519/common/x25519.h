/* X25519 (RFC 7748, section 5). */

#ifndef X25519_H
#define X25519_H

#include <stdint.h>

enum { X25519_BYTES = 32 };

/* Computes the public key of a secret key. */
void x25519_public(const uint8_t secret[X25519_BYTES], uint8_t public[X25519_BYTES]);

/* Computes the secret shared with a peer's public key. Returns 0, or -1 if the result is zero. */
int x25519_shared(const uint8_t secret[X25519_BYTES], const uint8_t peer[X25519_BYTES],
                  uint8_t shared[X25519_BYTES]);

#endif
