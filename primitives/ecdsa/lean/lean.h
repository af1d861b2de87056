/* Interfaces inside the lean implementation: scalar multiplication with x coordinates alone.
 *
 * A point is given as bytes, x and y, or as a null pointer for G; a scalar as bytes. */

#ifndef LEAN_H
#define LEAN_H

#include "numbers.h"

/* The numbers in the memory of a computation: (x1 : z1) and (x2 : z2), whose affine x are x1 / z1 and x2 / z2, two
 * temporaries, and x of the multiplied point. B is the curve's b. */
enum { X1, Z1, X2, Z2, T, U, X, NUMBERS, B = NUMBERS };

typedef uint32_t WORK[NUMBERS * WORDS];

/* z = x of a point if `which` is 0, y if it is 1. */
void ECDSA(fetch)(uint32_t *z, const uint8_t *point, unsigned which);

/* Returns true if both coordinates are below p, and the point is on the curve. */
int ECDSA(point_is_valid)(uint32_t *work, const uint8_t *point);

/* (x1 : z1) = k times the point, in constant time; z1 = 0 for the neutral element. */
void ECDSA(ladder)(uint32_t *work, const uint8_t *k, const uint8_t *point);

/* Recovers x and y, times R, of the result of a ladder, which is not the neutral element, into x1 and z1. */
void ECDSA(recover)(uint32_t *work, const uint8_t *point);

/* (x1 : z1) = the sum of two points, whose x and y, times R, are in x1 and z1, and in x2 and z2. */
void ECDSA(point_add)(uint32_t *work);

/* x1 = x1 / z1, converted from Montgomery form; 0 for the neutral element. */
void ECDSA(affine)(uint32_t *work);

#endif
