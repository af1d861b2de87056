/* Points of edwards25519 in extended coordinates (RFC 8032, section 5.1.4), in little code. */

#ifndef POINT25519_H
#define POINT25519_H

#include "field25519.h"
#include "scalar25519.h"

/* Registers: the accumulator, the point to add, a constant of the curve, and temporaries. */
enum { X1 = FIRST, Y1, Z1, T1, X2, Y2, Z2, T2, D2, S, U, V, REGISTERS };

/* X, Y, Z, T. */
enum { COORDINATES = 4 };
typedef FIELD POINT[COORDINATES];

/* Clears the registers, and loads the constant of the curve. */
void point_start(FIELD registers[REGISTERS]);

/* Decodes a point, negated if `negate` is 1; returns 0, or -1 if the bytes do not encode a point. */
int point_decode(FIELD registers[REGISTERS], POINT point, const uint8_t bytes[FIELD_BYTES], uint32_t negate);

/* Returns 0 if both are equal. */
unsigned point_differ(const uint8_t a[FIELD_BYTES], const uint8_t b[FIELD_BYTES]);

/* Encodes the sum of multiples of points. Returns its stack depth. */
uintptr_t point_multiply(FIELD registers[REGISTERS], uint8_t bytes[FIELD_BYTES], const SCALAR *scalars,
                    const POINT *points, unsigned number);

#endif
