/* The sum of multiples of a point of edwards25519 and of the base point, bit by bit; for public scalars. */

#include "ge25519.h"

enum { BITS = 253 };

static const FE25519 two_d = {0x26b2f159, 0xebd69b94, 0x8283b156, 0x00e0149a,
                              0xeef3d130, 0x198e80f2, 0x56dffce7, 0x2406d9dc};

/* The base point as an addend: y + x, y - x, 2 d x y. */
static const GE25519_FACTOR base = {
    {0xf58c3b85, 0x2fbc93c6, 0xfb8c0e19, 0xcf932dc6,
     0x643d42c2, 0x270b4898, 0x33d4ba65, 0x07cf9d3a},
    {0xd740913e, 0x9d103905, 0xd140beb3, 0xfd399f05,
     0x688f8a09, 0xa5c18434, 0x98f81267, 0x44fd2f92},
    {0x877aaa68, 0xabc91205, 0xccaac49e, 0x26d9e823,
     0xdd43598c, 0x5a1b7dcb, 0x9f0c65a8, 0x6f117b68},
};

static void add(GE25519 *r, const GE25519_FACTOR *factor, int with_t)
{
    FE25519 two_z;
    fe25519_add(two_z, r->z, r->z);
    ge25519_add(r, factor->sum, factor->difference, factor->product, two_z, 0, with_t);
}

/* Z of the point is 1. */
void ge25519_multiply_both(GE25519 *r, const SC25519 a, const GE25519 *point, const SC25519 b)
{
    GE25519_FACTOR factor;
    fe25519_add(factor.sum, point->y, point->x);
    fe25519_subtract(factor.difference, point->y, point->x);
    fe25519_multiply(factor.product, point->t, two_d);
    ge25519_clear(r);
    for (unsigned i = BITS; i-- > 0;) {
        uint32_t first = a[i / 32] >> i % 32 & 1, second = b[i / 32] >> i % 32 & 1;
        ge25519_double(r, (first | second) != 0);
        if (first != 0) {
            add(r, &factor, second != 0);
        }
        if (second != 0) {
            add(r, &base, 0);
        }
    }
}
