/* Numbers of any count of words, the lowest first, modulo an odd one. */

#ifndef SMALL_H
#define SMALL_H

#include "rsa_raw.h"

enum { WORDS = RSA_BYTES / 4, HALF_WORDS = WORDS / 2 };

/* A modulus, and what computing with it needs; R is 2^(32 words). */
typedef struct {
    unsigned words;
    uint32_t inverse;      /* -1 / m mod 2^32 */
    uint32_t m[WORDS];
    uint32_t u[WORDS + 2]; /* room for a product */
} MODULUS;

/* z = a + ((b ^ flip) & mask) + carry; returns what lies above. */
uint32_t RSA(sum)(unsigned words, uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t mask,
                  uint32_t flip, uint32_t carry);

/* z = a - b + carry R, and m more where that is below 0. */
void RSA(subtract)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t carry);

/* z = a b / R mod m, for one of them below m. */
void RSA(multiply)(MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b);

/* z = a R mod m, for a of so many words. */
void RSA(to_montgomery)(const MODULUS *of, uint32_t *z, const uint32_t *a, unsigned words);

/* z += a b; z has twice as many words as a and b. */
void RSA(add_product)(unsigned words, uint32_t *z, const uint32_t *a, const uint32_t *b);

/* Takes a modulus from bytes; returns whether it is odd. */
int RSA(set)(MODULUS *of, const uint8_t *bytes, unsigned words);

/* From and to bytes, the highest first. */
void RSA(load)(uint32_t *z, const uint8_t *bytes, unsigned words);
void RSA(store)(uint8_t *bytes, const uint32_t *z, unsigned words);

#endif
