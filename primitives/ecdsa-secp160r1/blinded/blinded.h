/* Interfaces inside the blinded implementation. */

#ifndef BLINDED_H
#define BLINDED_H

#include "domain.h"

enum { BLINDED_BYTES = 20, BLINDED_RANDOM_BYTES = 3 * BLINDED_BYTES };

/* A part of the scalar, and a factor of the coordinates for each part. The caller fills them with fresh random bytes
 * before each call; with zeros the result is the same, and nothing is blinded. */
extern uint8_t ecdsa_secp160r1_random[BLINDED_RANDOM_BYTES];

/* r = k p, for a p that is valid, and a k between 1 and n - 1. */
void ecdsa_secp160r1_blinded_multiply(const FIELDP *k, const POINT *p, POINT *r);

/* The same flag, marked as public. */
int ecdsa_secp160r1_shown(uint32_t flag);

#endif
