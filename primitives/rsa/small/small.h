/* Numbers of any number of words, lowest first, modulo an odd one. */

#ifndef SMALL_H
#define SMALL_H

#include "rsa_raw.h"

enum { WORDS = RSA_BYTES / 4, HALF_WORDS = WORDS / 2 };

/* A modulus, and its precomputed constants; R is 2^(32 words). */
typedef struct {
    unsigned words;
    uint32_t inverse;      /* -1 / m mod 2^32 */
    uint32_t m[WORDS];
    uint32_t u[WORDS + 2]; /* memory for a product */
} MODULUS;

/* z = a + ((b ^ flip) & mask) + carry; returns the carry out. */
uint32_t RSA(sum)(unsigned words, uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t mask,
                  uint32_t flip, uint32_t carry);

/* z = a - b + carry R, plus m if that is negative. */
void RSA(subtract)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t carry);

/* z = a b / R mod m, if one of a and b is below m. */
void RSA(multiply)(MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b);

/* z = a R mod m, for a of `words` words. */
void RSA(to_montgomery)(const MODULUS *of, uint32_t *z, const uint32_t *a, unsigned words);

/* z += a b; z has twice as many words as a and b. */
void RSA(add_product)(unsigned words, uint32_t *z, const uint32_t *a, const uint32_t *b);

/* Loads a modulus from bytes; returns true if it is odd. */
int RSA(set)(MODULUS *of, const uint8_t *bytes, unsigned words);

/* Conversion from and to bytes, highest first. */
void RSA(load)(uint32_t *z, const uint8_t *bytes, unsigned words);
void RSA(store)(uint8_t *bytes, const uint32_t *z, unsigned words);

#endif
