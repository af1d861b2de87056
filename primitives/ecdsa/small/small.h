/* Interfaces inside the small implementation: points. */

#ifndef SMALL_H
#define SMALL_H

#include "numbers.h"

/* (x : y : z) is the point (x / z, y / z), and (0 : 1 : 0) the neutral element. */
typedef uint32_t POINT[3 * WORDS];

/* Memory for a computation with points, which leaves its result at the beginning. */
typedef uint32_t WORK[16 * WORDS];

/* work = k p + k_base G, or k p if k_base is null; in constant time for any k below R. */
void ECDSA(point_multiply)(uint32_t *work, const uint32_t *k, const uint32_t *p, const uint32_t *k_base);

/* Returns true if a point, which is not the neutral element, is on the curve. */
int ECDSA(point_is_valid)(const uint32_t *p);

/* Replaces the point in `work` by its affine x and y; zeros for the neutral element. */
void ECDSA(point_affine)(uint32_t *work);

#endif
