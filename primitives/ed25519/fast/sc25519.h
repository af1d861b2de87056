/* Numbers modulo the order L of Ed25519's base point (RFC 8032, section 5.1). */

#ifndef SC25519_H
#define SC25519_H

#include "bytes.h"

enum { SC25519_WORDS = 8, SC25519_BYTES = 32 };

/* Lowest word first. */
typedef uint32_t SC25519[SC25519_WORDS];

void sc25519_load(SC25519 r, const uint8_t bytes[SC25519_BYTES]);
void sc25519_store(uint8_t bytes[SC25519_BYTES], const SC25519 a);

/* Reduces a number of 64 bytes modulo L. */
void sc25519_reduce(SC25519 r, const uint8_t bytes[2 * SC25519_BYTES]);

/* a * b + c modulo L, where `a` may be any number of 256 bits, and b and c are below L. */
void sc25519_multiply_add(SC25519 r, const SC25519 a, const SC25519 b, const SC25519 c);

/* Signed recoding: the bits of (scalar + 2^256 - 1) / 2 modulo L. The scalar, below 2^255, is the sum of all powers of
 * 2 with the signs that these bits give, + for set bits. */
void sc25519_to_signs(SC25519 r, const SC25519 scalar);

/* Returns true if a number of 256 bits is below L. */
int sc25519_is_reduced(const SC25519 a);

#endif
