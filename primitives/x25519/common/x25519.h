/* X25519 (RFC 7748, section 5). */

#ifndef X25519_H
#define X25519_H

#include <stdint.h>

enum { X25519_BYTES = 32 };

/* The public key to a secret one. */
void x25519_public(const uint8_t secret[X25519_BYTES], uint8_t public[X25519_BYTES]);

/* The secret shared with a peer, whose public key is given. If it is zero, the answer is -1. */
int x25519_shared(const uint8_t secret[X25519_BYTES], const uint8_t peer[X25519_BYTES],
                  uint8_t shared[X25519_BYTES]);

#endif
