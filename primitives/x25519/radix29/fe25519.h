/* The field GF(2^255 - 19) in signed limbs of 29 bits: sums need no carries, and the products for one limb are
 * accumulated in 64 bits. */

#ifndef FE25519_H
#define FE25519_H

#include "bytes.h"

enum { FE25519_WORDS = 9, FE25519_BYTES = 32, FE25519_ROOM = 3, FE25519_BITS = 29 };

/* Bits and mask of the highest limb, for numbers of 255 bits. */
enum { FE25519_TOP_BITS = 23, FE25519_TOP = 0x7fffff };

/* An element, lowest limb first, each in two's complement. Products have limbs from -2^28 to 2^28 or slightly beyond,
 * the highest one from -2^22 to 2^22. Factors may have limbs twice as large; so sums and differences of two products
 * may be factors, but not terms. Results may be operands. */
typedef uint32_t FE25519[FE25519_WORDS];

/* Product and square. They return their stack depth. */
uintptr_t fe25519_multiply(FE25519 r, const FE25519 a, const FE25519 b);
uintptr_t fe25519_square(FE25519 r, const FE25519 a);
void fe25519_add(FE25519 r, const FE25519 a, const FE25519 b);
void fe25519_subtract(FE25519 r, const FE25519 a, const FE25519 b);

/* r = a + b * small, which may be a factor, as b may; `small` is below 2^26. */
void fe25519_add_multiple(FE25519 r, const FE25519 a, const FE25519 b, uint32_t small);

/* Squares `times` times. */
uintptr_t fe25519_square_often(FE25519 r, const FE25519 a, unsigned times);

/* r = a to the power of 2^252 - 3; r must not be a. Intermediate values remain in `room`. */
void fe25519_power(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM]);

/* r = 1 / a, or 0 for 0, under the same conditions. Returns its stack depth. */
uintptr_t fe25519_invert(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM]);

/* Conditional move: r = a if `mask` is all ones; no change if it is 0. */
void fe25519_select(FE25519 r, const FE25519 a, uint32_t mask);

/* Loads a factor, which may be a term only if the other operand is small. */
void fe25519_load(FE25519 r, const uint8_t bytes[FE25519_BYTES]);

/* Reduces a product to its representative below 2^255 - 19, and stores its bytes. */
void fe25519_store(uint8_t bytes[FE25519_BYTES], FE25519 a);

#endif
