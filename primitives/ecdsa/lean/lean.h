/* Multiples of points by x coordinates alone: what the lean implementation is made of, beside numbers.
 *
 * A point is given by its bytes, x and y, or by a null pointer, which is G; a scalar by its bytes. */

#ifndef LEAN_H
#define LEAN_H

#include "numbers.h"

/* The numbers that a computation has room for: (x1 : z1) and (x2 : z2), whose affine x are x1 / z1 and x2 /
 * z2, two more for what is between, x of the point that is multiplied. B is the curve's b. */
enum { X1, Z1, X2, Z2, T, U, X, NUMBERS, B = NUMBERS };

typedef uint32_t WORK[NUMBERS * WORDS];

/* z = x or, for 1, y of a point. */
void ECDSA(fetch)(uint32_t *z, const uint8_t *point, unsigned which);

/* Whether both coordinates are below p, and the point on the curve. */
int ECDSA(point_is_valid)(uint32_t *work, const uint8_t *point);

/* (x1 : z1) = k times the point, the same steps for any k; z1 = 0 for the neutral point. */
void ECDSA(ladder)(uint32_t *work, const uint8_t *k, const uint8_t *point);

/* After a ladder, whose result is not the neutral point: its x and y, times R, in the places of x1 and z1. */
void ECDSA(recover)(uint32_t *work, const uint8_t *point);

/* (x1 : z1) = the sum of the points whose x and y, times R, are in the places of x1 and z1, x2 and z2. */
void ECDSA(point_add)(uint32_t *work);

/* x1 = x1 / z1, no longer times R; 0 for the neutral point. */
void ECDSA(affine)(uint32_t *work);

#endif
