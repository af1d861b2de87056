/* Conversion of points between packets and field elements. */

#include "curve.h"

enum { HALF = POINT_BYTES / 2 };

POINT curve_from_bytes(const uint8_t bytes[POINT_BYTES])
{
    POINT point = {.infinity = 0};
    field_from_bytes(&point.x, bytes, HALF);
    field_from_bytes(&point.y, bytes + HALF, HALF);
    return point;
}

void curve_to_bytes(const POINT *point, uint8_t bytes[POINT_BYTES])
{
    field_to_bytes(&point->x, bytes, HALF);
    field_to_bytes(&point->y, bytes + HALF, HALF);
}

int curve_is_usable(const uint8_t bytes[POINT_BYTES])
{
    POINT point = curve_from_bytes(bytes);
    return point_is_valid(&secp160r1, &point);
}
