/* The field of 2^255 - 19 elements in limbs of 29 bits with signs: sums need no carries, and the products that
 * belong to one limb are summed up in 64 bits. */

#ifndef FE25519_H
#define FE25519_H

#include "bytes.h"

enum { FE25519_WORDS = 9, FE25519_BYTES = 32, FE25519_ROOM = 3, FE25519_BITS = 29 };

/* What the highest limb has of 255 bits. */
enum { FE25519_TOP_BITS = 23, FE25519_TOP = 0x7fffff };

/* An element, the lowest limb first, each a complement of two. Products have limbs from -2^28 to 2^28 and little
 * more, the highest one from -2^22 to 2^22. Factors may have twice as great ones; so sums and differences of
 * two products are factors, but not terms. Results may be operands. */
typedef uint32_t FE25519[FE25519_WORDS];

/* Returns its stack depth, for wipe_below(). */
uintptr_t fe25519_multiply(FE25519 r, const FE25519 a, const FE25519 b);
uintptr_t fe25519_square(FE25519 r, const FE25519 a);
void fe25519_add(FE25519 r, const FE25519 a, const FE25519 b);
void fe25519_subtract(FE25519 r, const FE25519 a, const FE25519 b);

/* r = a + b * small, which is a factor, as b is; `small` is below 2^26. */
void fe25519_add_multiple(FE25519 r, const FE25519 a, const FE25519 b, uint32_t small);

/* Squares so many times. */
uintptr_t fe25519_square_often(FE25519 r, const FE25519 a, unsigned times);

/* r = a to the power of 2^252 - 3; r is not a. What was computed on the way stays in `room`. */
void fe25519_power(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM]);

/* r = 1 / a, or 0 for 0; otherwise the same. Tells how deep the stack went. */
uintptr_t fe25519_invert(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM]);

/* r = a, if `mask` is all ones; nothing, if it is 0. */
void fe25519_select(FE25519 r, const FE25519 a, uint32_t mask);

/* Loads a factor, which is a term only if the other one is small. */
void fe25519_load(FE25519 r, const uint8_t bytes[FE25519_BYTES]);

/* The bytes of the representative below 2^255 - 19, which the product becomes. */
void fe25519_store(uint8_t bytes[FE25519_BYTES], FE25519 a);

#endif
