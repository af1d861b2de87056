/* The Montgomery ladder of X25519 (RFC 7748, section 5). */

#ifndef X25519_LADDER_H
#define X25519_LADDER_H

/* The field whose header comes first on the include path. */
#include <fe25519.h>

/* Computes the multiple of a point given by its x, as bytes; returns 0, or -1 if the result is zero. */
int x25519_ladder(const uint8_t secret[FE25519_BYTES], const FE25519 point, uint8_t result[FE25519_BYTES]);

#endif
