/* Numbers of 8 words, or a multiple, lowest first, and numbers modulo an odd one.
 *
 * The latter are in Montgomery form, times R = 2^(32 words) (P. L. Montgomery, "Modular multiplication without trial
 * division", 1985). All operations are constant-time unless a comment says otherwise. */

#ifndef FAST_H
#define FAST_H

#include "rsa_raw.h"

enum {
    WORDS      = RSA_BYTES / 4,
    HALF_WORDS = WORDS / 2,
    BLOCK      = 8,           /* words of a row of a product */
    WINDOW     = 4,           /* bits of an exponent per table look-up */
    ENTRIES    = 1 << WINDOW
};

/* Expands to step(0) step(1) ... for each word of a block. */
#define EACH_WORD(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)

/* Disables unrolling of a loop. Compilers that see several iterations at once compute all of their products first, and
 * spill them. */
#if defined(__clang__)
#define ROLLED _Pragma("clang loop unroll(disable)")
#else
#define ROLLED _Pragma("GCC unroll 1")
#endif

/* A modulus, and its precomputed constants. */
typedef struct {
    unsigned words;
    uint32_t inverse;       /* -1 / m mod 2^32 */
    uint32_t m[WORDS];
    uint32_t one[WORDS];    /* R mod m */
    uint32_t square[WORDS]; /* R^2 mod m */
    uint32_t t[2 * WORDS];  /* memory for a product */
} MODULUS;

#define number_load      RSA(number_load)
#define number_store     RSA(number_store)
#define number_copy      RSA(number_copy)
#define number_subtract  RSA(number_subtract)
#define number_bits      RSA(number_bits)
#define number_choose    RSA(number_choose)
#define number_row       RSA(number_row)
#define number_clear     RSA(number_clear)
#define number_multiply  RSA(number_multiply)
#define number_square    RSA(number_square)
#define modulus_set      RSA(modulus_set)
#define modulus_subtract RSA(modulus_subtract)
#define modulus_reduce   RSA(modulus_reduce)
#define modulus_multiply RSA(modulus_multiply)
#define modulus_square   RSA(modulus_square)
#define modulus_power    RSA(modulus_power)

/* Conversion from and to bytes, highest first. */
void number_load(uint32_t *z, const uint8_t *bytes, unsigned words);
void number_store(uint8_t *bytes, const uint32_t *z, unsigned words);
void number_copy(uint32_t *z, const uint32_t *a, unsigned words);

/* z = a - b; returns the borrow. */
uint32_t number_subtract(uint32_t *z, const uint32_t *a, const uint32_t *b, unsigned words);

/* The bit length of a number, which becomes public; nothing else does. */
unsigned number_bits(const uint32_t *a, unsigned words);

/* z = a for a mask of ~0, and b for 0. */
void number_choose(uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t mask, unsigned words);

/* t += a b; the block of t above b is overwritten. */
void number_row(uint32_t *t, const uint32_t a[BLOCK], const uint32_t *b, unsigned words);

/* t += q m for a block q that clears the lowest block of t; then adds a carry to the block above m, and returns the new
 * carry. */
uint32_t number_clear(uint32_t *t, const uint32_t *m, unsigned words, uint32_t inverse, uint32_t carry);

/* t = a b and t = a^2, of twice as many words. */
void number_multiply(uint32_t *t, const uint32_t *a, const uint32_t *b, unsigned words);
void number_square(uint32_t *t, const uint32_t *a, unsigned words);

/* Loads an odd modulus of at least `bits` bits. */
void modulus_set(MODULUS *of, const uint8_t *bytes, unsigned words, unsigned bits);

/* z = a - b mod m, for numbers below m. */
void modulus_subtract(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b);

/* z = t / R mod m, for t below m R; and z = a b / R mod m, if one of a and b is below m. */
void modulus_reduce(MODULUS *of, uint32_t *z);
void modulus_multiply(MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b);
void modulus_square(MODULUS *of, uint32_t *z, const uint32_t *a);

/* z = x^e, both in Montgomery form, for an exponent of `size` bytes; `table` has room for ENTRIES + 1 numbers. */
void modulus_power(MODULUS *of, uint32_t *z, const uint32_t *x, const uint8_t *e, size_t size,
                   uint32_t *table);

#endif
