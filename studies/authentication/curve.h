/* Conversion of points between packets and field elements. */

#ifndef CURVE_H
#define CURVE_H

#include "domain.h"
#include "protocol.h"

POINT curve_from_bytes(const uint8_t bytes[POINT_BYTES]);
void  curve_to_bytes(const POINT *point, uint8_t bytes[POINT_BYTES]);

/* Returns 1 if the bytes are the coordinates of a point on the curve. */
int curve_is_usable(const uint8_t bytes[POINT_BYTES]);

static inline void copy_bytes(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = from[i];
    }
}

#endif
