/* Numbers modulo the order L of Ed25519's base point (RFC 8032, section 5.1), in little code. */

#ifndef SCALAR25519_H
#define SCALAR25519_H

#include "bytes.h"

enum { SCALAR_WORDS = 8 };

/* Lowest word first; below L unless a comment says otherwise. */
typedef uint32_t SCALAR[SCALAR_WORDS];

/* x = a * b, where `a` may be any number of `words` words; x must be neither a nor b. */
void scalar_multiply(SCALAR x, const uint32_t *a, unsigned words, const SCALAR b);
void scalar_add(SCALAR x, const SCALAR y);

/* Returns true if x, which may be any number, is below L. */
int scalar_is_reduced(SCALAR x);

#endif
