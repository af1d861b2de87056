/* One number modulo an odd one, and memory for a product. Other arguments stay in bytes, highest first, and are read
 * where they are needed. */

#ifndef LEAN_H
#define LEAN_H

#include "rsa_raw.h"

enum { WORDS = RSA_BYTES / 4, HALF_WORDS = WORDS / 2 };

typedef struct {
    const uint8_t *m;
    unsigned       words;
    uint32_t       inverse; /* -1 / m mod 2^32 */
    uint32_t      *z;       /* the number, lowest word first */
    uint32_t      *u;       /* the product, of words + 2 */
} NUMBER;

/* Sets the modulus, of `words` words, and the memory: `words` words for z, and `words` + 2 for the product. */
void RSA(begin)(NUMBER *own, const uint8_t *m, unsigned words, uint32_t *memory);

/* z = 2^shift times a number of `size` bytes, mod m. */
void RSA(set)(NUMBER *own, const uint8_t *bytes, size_t size, unsigned shift);

/* z = z a / R mod m if mask is ~0, and z / R if it is 0; R is 2^(32 words). */
void RSA(multiply)(NUMBER *own, const uint8_t *a, uint32_t mask);

/* z = z^2 / R mod m. */
void RSA(square)(NUMBER *own);

/* z = a - z mod m, for a below m. */
void RSA(subtract_from)(NUMBER *own, const uint8_t *a);

/* z = x^e mod m, from bit `first` of the exponent on; bits are numbered from its highest one. */
void RSA(power)(NUMBER *own, const uint8_t *x, const uint8_t *e, size_t e_size, size_t first);

/* Stores z as bytes. */
void RSA(store)(const NUMBER *own, uint8_t *bytes);

#endif
