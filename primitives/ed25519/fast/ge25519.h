/* Points of edwards25519 (RFC 8032, section 5.1.4). */

#ifndef GE25519_H
#define GE25519_H

#include "fe25519.h"
#include "sc25519.h"

/* A point in extended coordinates: x = X / Z, y = Y / Z, x y = T / Z; with temporaries of the formulas, so that wiping
 * the point wipes them, too. */
typedef struct {
    FE25519 x, y, z, t, room[4];
} GE25519;

/* The values of an addend with Z = 1: y + x, y - x, 2 d x y. */
typedef struct {
    FE25519 sum, difference, product;
} GE25519_FACTOR;

enum { GE25519_COMBS = 4, GE25519_COMB_ENTRIES = 8, GE25519_ODD_ENTRIES = 8 };

extern const GE25519_FACTOR ge25519_combs[GE25519_COMBS][GE25519_COMB_ENTRIES];
extern const GE25519_FACTOR ge25519_odd[GE25519_ODD_ENTRIES];

/* Sets the point to the neutral element (0, 1). */
void ge25519_clear(GE25519 *point);

/* Doubles the point. T is computed only if `with_t` is not 0: doubling does not need it. */
void ge25519_double(GE25519 *point, int with_t);

/* Adds a point given by y + x, y - x and 2 d x y, and `two_z`, twice the product of both Z. To add its negative, swap
 * the first two, and set `minus` to all ones. Returns its stack depth. */
uintptr_t ge25519_add(GE25519 *point, const FE25519 sum, const FE25519 difference, const FE25519 product,
                      const FE25519 two_z, uint32_t minus, int with_t);

/* Decodes the negative of a point; returns 0, or -1 if the bytes do not encode a point. */
int ge25519_decode_negative(GE25519 *point, const uint8_t bytes[FE25519_BYTES]);
/* Encodes the point, and overwrites it. Returns its stack depth. */
uintptr_t ge25519_encode(uint8_t bytes[FE25519_BYTES], GE25519 *point);

/* The base point times a scalar, any number below 2^255, in constant time. Returns its stack depth. */
uintptr_t ge25519_multiply_base(GE25519 *r, const SC25519 scalar);

/* a times the point (whose Z is 1), plus b times the base point, for public scalars below 2^253: the time depends on
 * them. */
void ge25519_multiply_both(GE25519 *r, const SC25519 a, const GE25519 *point, const SC25519 b);

#endif
