/* Points: what the small implementation is made of, beside numbers. */

#ifndef SMALL_H
#define SMALL_H

#include "numbers.h"

/* (x : y : z) stands for the point (x / z, y / z), and (0 : 1 : 0) for the neutral one. */
typedef uint32_t POINT[3 * WORDS];

/* Room for a computation with points, whose result stands in front. */
typedef uint32_t WORK[16 * WORDS];

/* work = k p and, unless k_base is null, k_base G; the same steps for any k below R. */
void ECDSA(point_multiply)(uint32_t *work, const uint32_t *k, const uint32_t *p, const uint32_t *k_base);

/* Whether a point, which is not the neutral one, lies on the curve. */
int ECDSA(point_is_valid)(const uint32_t *p);

/* x and y of the point in work, in its place; zeros for the neutral one. */
void ECDSA(point_affine)(uint32_t *work);

#endif
