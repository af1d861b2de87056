/* Interfaces inside the fast implementation: an unrolled field, points, numbers modulo the order.
 *
 * Field elements are always below p. Modulo the primes of secp192r1 and secp256r1 they are in Montgomery form, times R
 * = 2^BITS, because division by R takes only a few additions with these primes. */

#ifndef FAST_H
#define FAST_H

#include "ecdsa.h"

#if defined(ECDSA_SECP192R1)
#define WORDS 6
#else
#define WORDS 8
#endif

enum { BITS = 32 * WORDS };

/* Disables unrolling of a loop, where it gains nothing or has been done by hand. */
#if defined(__clang__)
#define ROLLED _Pragma("clang loop unroll(disable)")
#else
#define ROLLED _Pragma("GCC unroll 1")
#endif

/* A number, lowest word first. */
typedef struct {
    uint32_t w[WORDS];
} NUMBER;

typedef struct {
    NUMBER x, y;
} AFFINE;

/* The point (x / z^2, y / z^3), or the neutral element if z is 0. */
typedef struct {
    NUMBER x, y, z;
} JACOBIAN;

/* A modulus for inversions and for a few products of scalars. */
typedef struct {
    NUMBER   m;
    NUMBER   square;  /* R^2 mod m */
    uint32_t inverse; /* -1 / m mod 2^32 */
} MODULUS;

typedef struct {
    MODULUS p;    /* the field prime */
    MODULUS n;    /* the order */
    NUMBER  one;  /* 1 and b, as field elements */
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

/* Conversion from numbers below p to field elements, and back. */
void field_to_montgomery(NUMBER *z, const NUMBER *a);
void field_from_montgomery(NUMBER *z, const NUMBER *a);

/* Conversion from and to bytes, highest first. */
void number_load(NUMBER *z, const uint8_t *bytes);
void number_store(uint8_t *bytes, const NUMBER *z);

/* The leftmost bits of a digest, as many as the order has (FIPS 186-4, section 6.4). */
void digest_load(NUMBER *z, const uint8_t *digest, size_t size);

/* Marks a number as public (see `revealed` in bytes.h). */
void number_reveal(NUMBER *z);

/* Loads a secret, a nonce, r or s; returns true if it is between 1 and n - 1. */
int scalar_load(NUMBER *z, const uint8_t *bytes);

/* Loads a point; returns true if it is on the curve. */
int point_load(AFFINE *p, const uint8_t *bytes);

/* Returns true if a < m, and true if a is 0; z = a - b, returns the borrow; z = a for a mask of ~0, and b for 0. */
int      number_is_below(const NUMBER *a, const NUMBER *m);
int      number_is_zero(const NUMBER *a);
uint32_t number_subtract(NUMBER *z, const NUMBER *a, const NUMBER *b);
void     number_choose(NUMBER *z, const NUMBER *a, const NUMBER *b, uint32_t mask);

/* z = 1 / a mod m, in constant time for any a below m; 0 for 0. */
void number_invert(NUMBER *z, const NUMBER *a, const MODULUS *of);

/* z = a b / R mod n, if one of a and b is below n; z = a + b mod n, if both are; and z = a mod n, for any a. */
void order_multiply(NUMBER *z, const NUMBER *a, const NUMBER *b);
void order_add(NUMBER *z, const NUMBER *a, const NUMBER *b);
void order_reduce(NUMBER *z, const NUMBER *a);

/* p = 2 p, and p as an affine point, which is all zeros for the neutral element. */
void point_double(JACOBIAN *p);
void point_affine(AFFINE *z, const JACOBIAN *p);

/* p = p + q: for any p, with branches; for a p that is neither neutral nor q; and in constant time, for a p that is
 * neither neutral nor -q. */
void point_add(JACOBIAN *p, const AFFINE *q);
void point_add_other(JACOBIAN *p, const AFFINE *q);
void point_add_masked(JACOBIAN *p, const AFFINE *q);

/* z = the table entry for a digit of signs, one per bit; reads all entries. If the highest bit of the digit is 0, z is
 * the negative of the entry for the complement of the other bits. */
void point_choose(AFFINE *z, const AFFINE *table, uint32_t entries, uint32_t digit);

enum { TABLE = 8 };

/* The odd multiples P, 3 P, 5 P ... 15 P. */
void point_table(AFFINE table[TABLE], const AFFINE *p);

/* r = k p, for k between 1 and n - 1, in constant time. */
void point_multiply(JACOBIAN *r, const NUMBER *k, const AFFINE *p);
void base_multiply(JACOBIAN *r, const NUMBER *k);

/* The entry that the comb adds from a table in a column, for an odd scalar. */
void base_entry(AFFINE *z, const NUMBER *odd, unsigned column, unsigned table);

int point_is_valid(const AFFINE *p);

/* Wipes a point. */
void point_forget(JACOBIAN *p);

#endif
