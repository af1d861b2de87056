/* Points of edwards25519 in extended coordinates (RFC 8032, section 5.1.4), in little code. */

#ifndef POINT25519_H
#define POINT25519_H

#include "field25519.h"
#include "scalar25519.h"

/* Registers: the point that is computed, the one that is added, a constant of the curve, and others. */
enum { X1 = FIRST, Y1, Z1, T1, X2, Y2, Z2, T2, D2, S, U, V, REGISTERS };

/* X, Y, Z, T. */
enum { COORDINATES = 4 };
typedef FIELD POINT[COORDINATES];

/* Clears the registers, and puts the constant of the curve into its own. */
void point_start(FIELD registers[REGISTERS]);

/* Takes a point from bytes, negated if `negate` is 1; the answer is -1 if they are none. */
int point_decode(FIELD registers[REGISTERS], POINT point, const uint8_t bytes[FIELD_BYTES], uint32_t negate);

/* 0 if they are the same. */
unsigned point_differ(const uint8_t a[FIELD_BYTES], const uint8_t b[FIELD_BYTES]);

/* The bytes of the sum of multiples of points. Tells how deep the stack went. */
uintptr_t point_multiply(FIELD registers[REGISTERS], uint8_t bytes[FIELD_BYTES], const SCALAR *scalars,
                    const POINT *points, unsigned number);

#endif
