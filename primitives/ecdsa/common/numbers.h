/* Numbers modulo the field prime or the order of a curve. */

#ifndef NUMBERS_H
#define NUMBERS_H

#include "ecdsa.h"

enum { WORDS = ECDSA_BYTES / 4, BITS = 8 * ECDSA_BYTES };

/* A number below 2^BITS, lowest word first. */
typedef uint32_t NUMBER[WORDS];

typedef struct {
    NUMBER   m;
    uint32_t inverse; /* -1 / m mod 2^32 */
} MODULUS;

typedef struct {
    MODULUS  p;               /* the field prime */
    MODULUS  n;               /* the order */
    uint32_t base[3 * WORDS]; /* x and y of G, and 1 */
    NUMBER   b;               /* b R mod p, with R = 2^BITS */
} CURVE;

extern const CURVE ECDSA(curve);

/* z = a - b + carry R, plus m if that is negative. */
void ECDSA(subtract)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t carry);

/* z = a + b mod m, for numbers below m. */
void ECDSA(add)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b);

/* z = a b / R mod m, if one of a and b is below m. */
void ECDSA(multiply)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b);

/* z = a b / R^2 mod m. */
void ECDSA(multiply_out)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b);

/* z = R^2 / a mod m, and 0 for 0; z must not be a. */
void ECDSA(invert)(const MODULUS *of, uint32_t *z, const uint32_t *a);

/* Returns true if a is 0. */
int ECDSA(is_zero)(const uint32_t *a);

/* Returns true if a < m. */
int ECDSA(is_below)(const uint32_t *a, const MODULUS *of);

/* z = z mod n for any number; all numbers are below 2 n. */
void ECDSA(reduce)(uint32_t *z);

/* Conversion from and to bytes, highest first. */
void ECDSA(load)(uint32_t *z, const uint8_t *bytes);
void ECDSA(store)(uint8_t *bytes, const uint32_t *z);

/* The leftmost bits of a digest, as many as the order has (FIPS 186-4, section 6.4). */
void ECDSA(load_digest)(uint32_t *z, const uint8_t *digest, size_t size);

/* Marks numbers as public (see `revealed` in bytes.h): a public key or a signature. */
void ECDSA(reveal)(uint32_t *z, unsigned words);

void ECDSA(copy)(uint32_t *to, const uint32_t *from, unsigned words);

/* Wipes `count` consecutive numbers. */
void ECDSA(forget)(uint32_t *numbers, unsigned count);

#endif
