/* What the fast implementation is made of: a field unrolled word by word, points, numbers modulo the order.
 *
 * Field elements are always below p. Modulo the primes of secp192r1 and secp256r1 they are kept times R,
 * which is 2^BITS (Montgomery's form), for with those primes dividing by R takes a few additions. */

#ifndef FAST_H
#define FAST_H

#include "ecdsa.h"

#if defined(ECDSA_SECP192R1)
#define WORDS 6
#else
#define WORDS 8
#endif

enum { BITS = 32 * WORDS };

/* Keeps a loop a loop: where unrolling would gain nothing, or has been done by hand. */
#if defined(__clang__)
#define ROLLED _Pragma("clang loop unroll(disable)")
#else
#define ROLLED _Pragma("GCC unroll 1")
#endif

/* A number, the lowest word first. */
typedef struct {
    uint32_t w[WORDS];
} NUMBER;

typedef struct {
    NUMBER x, y;
} AFFINE;

/* The point (x / z^2, y / z^3), or the neutral one where z is 0. */
typedef struct {
    NUMBER x, y, z;
} JACOBIAN;

/* A modulus for inversions and for products of a few scalars. */
typedef struct {
    NUMBER   m;
    NUMBER   square;  /* R^2 mod m */
    uint32_t inverse; /* -1 / m mod 2^32 */
} MODULUS;

typedef struct {
    MODULUS p;    /* the field prime */
    MODULUS n;    /* the order */
    NUMBER  one;  /* 1 and b, in the form of field elements */
    NUMBER  b;
} CURVE;

#define curve                 ECDSA(curve)
#define field_multiply        ECDSA(field_multiply)
#define field_square          ECDSA(field_square)
#define field_add             ECDSA(field_add)
#define field_subtract        ECDSA(field_subtract)
#define field_halve           ECDSA(field_halve)
#define field_to_montgomery   ECDSA(field_to_montgomery)
#define field_from_montgomery ECDSA(field_from_montgomery)
#define field_invert          ECDSA(field_invert)
#define number_load           ECDSA(number_load)
#define digest_load           ECDSA(digest_load)
#define number_store          ECDSA(number_store)
#define number_reveal         ECDSA(number_reveal)
#define number_is_zero        ECDSA(number_is_zero)
#define number_is_below       ECDSA(number_is_below)
#define number_subtract       ECDSA(number_subtract)
#define number_choose         ECDSA(number_choose)
#define number_invert         ECDSA(number_invert)
#define scalar_load           ECDSA(scalar_load)
#define order_multiply        ECDSA(order_multiply)
#define order_reduce          ECDSA(order_reduce)
#define order_add             ECDSA(order_add)
#define point_double          ECDSA(point_double)
#define point_add             ECDSA(point_add)
#define point_add_other       ECDSA(point_add_other)
#define point_add_masked      ECDSA(point_add_masked)
#define point_affine          ECDSA(point_affine)
#define point_choose          ECDSA(point_choose)
#define point_table           ECDSA(point_table)
#define point_multiply        ECDSA(point_multiply)
#define point_is_valid        ECDSA(point_is_valid)
#define point_load            ECDSA(point_load)
#define point_forget          ECDSA(point_forget)
#define base_multiply         ECDSA(base_multiply)
#define base_entry            ECDSA(base_entry)

extern const CURVE curve;

/* Field elements: z may be a or b. */
void field_multiply(NUMBER *z, const NUMBER *a, const NUMBER *b);
void field_square(NUMBER *z, const NUMBER *a);
void field_add(NUMBER *z, const NUMBER *a, const NUMBER *b);
void field_subtract(NUMBER *z, const NUMBER *a, const NUMBER *b);
void field_halve(NUMBER *z, const NUMBER *a);
void field_invert(NUMBER *z, const NUMBER *a); /* 0 for 0 */

/* From numbers below p to field elements, and back. */
void field_to_montgomery(NUMBER *z, const NUMBER *a);
void field_from_montgomery(NUMBER *z, const NUMBER *a);

/* From bytes and back, the highest first. */
void number_load(NUMBER *z, const uint8_t *bytes);
void number_store(uint8_t *bytes, const NUMBER *z);

/* The leftmost bits of a digest, as many as the order has (FIPS 186-4, section 6.4). */
void digest_load(NUMBER *z, const uint8_t *digest, size_t size);

/* Gives a number away: a result that is meant to be known. */
void number_reveal(NUMBER *z);

/* A secret, a nonce, r or s; returns whether it is between 1 and n - 1. */
int scalar_load(NUMBER *z, const uint8_t *bytes);

/* A point; returns whether it is one on the curve. */
int point_load(AFFINE *p, const uint8_t *bytes);

/* Whether a < m; whether a is 0; z = a - b, and what was missing; z = a for a mask of ~0, and b for 0. */
int      number_is_below(const NUMBER *a, const NUMBER *m);
int      number_is_zero(const NUMBER *a);
uint32_t number_subtract(NUMBER *z, const NUMBER *a, const NUMBER *b);
void     number_choose(NUMBER *z, const NUMBER *a, const NUMBER *b, uint32_t mask);

/* z = 1 / a mod m, the same steps for any a below m; 0 for 0. */
void number_invert(NUMBER *z, const NUMBER *a, const MODULUS *of);

/* z = a b / R mod n, for one of them below n; z = a + b mod n, for both; and z = a mod n, for any a. */
void order_multiply(NUMBER *z, const NUMBER *a, const NUMBER *b);
void order_add(NUMBER *z, const NUMBER *a, const NUMBER *b);
void order_reduce(NUMBER *z, const NUMBER *a);

/* p = 2 p, and p as affine point, which is zeros for the neutral one. */
void point_double(JACOBIAN *p);
void point_affine(AFFINE *z, const JACOBIAN *p);

/* p = p + q: for any p, by branches; for a p that is not neutral, and not q; and for one that is not neutral,
 * and not -q, always by the same steps. */
void point_add(JACOBIAN *p, const AFFINE *q);
void point_add_other(JACOBIAN *p, const AFFINE *q);
void point_add_masked(JACOBIAN *p, const AFFINE *q);

/* z = the table's entry for a digit of signs, a bit each; looks at all entries. Where the digit's highest bit
 * is 0 it is minus the entry for the opposite of the others. */
void point_choose(AFFINE *z, const AFFINE *table, uint32_t entries, uint32_t digit);

enum { TABLE = 8 };

/* P, 3 P, 5 P ... 15 P. */
void point_table(AFFINE table[TABLE], const AFFINE *p);

/* r = k p, for k between 1 and n - 1, with the same steps for any. */
void point_multiply(JACOBIAN *r, const NUMBER *k, const AFFINE *p);
void base_multiply(JACOBIAN *r, const NUMBER *k);

/* What the comb adds in a column from a table, for an odd number. */
void base_entry(AFFINE *z, const NUMBER *odd, unsigned column, unsigned table);

int point_is_valid(const AFFINE *p);

/* Wipes a point. */
void point_forget(JACOBIAN *p);

#endif
