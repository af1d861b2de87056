/* The Montgomery ladder of X25519 (RFC 7748, section 5). */

#ifndef X25519_LADDER_H
#define X25519_LADDER_H

/* Of whichever field is found first. */
#include <fe25519.h>

/* The bytes of the multiple of a point, of which x is given; the answer is -1 if they are 0. */
int x25519_ladder(const uint8_t secret[FE25519_BYTES], const FE25519 point, uint8_t result[FE25519_BYTES]);

#endif
