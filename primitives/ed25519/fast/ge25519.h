/* Points of edwards25519 (RFC 8032, section 5.1.4). */

#ifndef GE25519_H
#define GE25519_H

#include "fe25519.h"
#include "sc25519.h"

/* A point in extended coordinates: x = X / Z, y = Y / Z, x y = T / Z; and room for what the formulas compute,
 * so that who wipes the point wipes that. */
typedef struct {
    FE25519 x, y, z, t, room[4];
} GE25519;

/* What is needed of a point that is added, if Z is 1: y + x, y - x, 2 d x y. */
typedef struct {
    FE25519 sum, difference, product;
} GE25519_FACTOR;

enum { GE25519_COMBS = 4, GE25519_COMB_ENTRIES = 8, GE25519_ODD_ENTRIES = 8 };

extern const GE25519_FACTOR ge25519_combs[GE25519_COMBS][GE25519_COMB_ENTRIES];
extern const GE25519_FACTOR ge25519_odd[GE25519_ODD_ENTRIES];

/* Makes it (0, 1). */
void ge25519_clear(GE25519 *point);

/* T is computed only if `with_t` is not 0: doubling does not need it. */
void ge25519_double(GE25519 *point, int with_t);

/* Adds a point of which y + x, y - x and 2 d x y are given, and `two_z`, which is twice the product of both
 * Z. To add its negative, exchange the first two, and let `minus` be all ones. Tells how deep the
 * stack went. */
uintptr_t ge25519_add(GE25519 *point, const FE25519 sum, const FE25519 difference, const FE25519 product,
                      const FE25519 two_z, uint32_t minus, int with_t);

/* Takes the negative of a point from the point's bytes; the answer is -1 if they are none. */
int ge25519_decode_negative(GE25519 *point, const uint8_t bytes[FE25519_BYTES]);
/* Its bytes; the point is used up. Tells how deep the stack went. */
uintptr_t ge25519_encode(uint8_t bytes[FE25519_BYTES], GE25519 *point);

/* The scalar, any number below 2^255, times the base point; in constant time. Tells how
 * deep the stack went. */
uintptr_t ge25519_multiply_base(GE25519 *r, const SC25519 scalar);

/* The sum of a times the point, and b times the base point; Z of the point is 1. Its time depends
 * on the scalars, which are below 2^253. */
void ge25519_multiply_both(GE25519 *r, const SC25519 a, const GE25519 *point, const SC25519 b);

#endif
