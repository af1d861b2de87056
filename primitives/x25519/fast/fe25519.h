/* The field GF(2^255 - 19) for a core with 32-bit multiplication. */

#ifndef FE25519_H
#define FE25519_H

#include "bytes.h"

enum { FE25519_WORDS = 8, FE25519_BYTES = 32, FE25519_ROOM = 3 };

/* Mask of the bits of the highest word, for numbers of 255 bits. */
enum { FE25519_TOP = 0x7fffffff };

/* An element: any representative below 2^256, lowest word first. A result may be an operand unless a comment says
 * otherwise. */
typedef uint32_t FE25519[FE25519_WORDS];

/* Product and square. They return their stack depth. */
uintptr_t fe25519_multiply(FE25519 r, const FE25519 a, const FE25519 b);
uintptr_t fe25519_square(FE25519 r, const FE25519 a);
void fe25519_add(FE25519 r, const FE25519 a, const FE25519 b);
void fe25519_subtract(FE25519 r, const FE25519 a, const FE25519 b);

/* r = a + b * small; `small` is below 2^26. */
void fe25519_add_multiple(FE25519 r, const FE25519 a, const FE25519 b, uint32_t small);

/* Squares `times` times. */
uintptr_t fe25519_square_often(FE25519 r, const FE25519 a, unsigned times);

/* r = a to the power of 2^252 - 3; r must not be a. Intermediate values remain in `room`. */
void fe25519_power(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM]);

/* r = 1 / a, or 0 for 0, under the same conditions. Returns its stack depth. */
uintptr_t fe25519_invert(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM]);

/* Conditional move: r = a if `mask` is all ones; no change if it is 0. */
void fe25519_select(FE25519 r, const FE25519 a, uint32_t mask);

/* Conditional swap of a and b: if `mask` is all ones; no change if it is 0. */
void fe25519_swap(FE25519 a, FE25519 b, uint32_t mask);

/* Returns 1 for 0, otherwise 0; reduces the element to its representative below 2^255 - 19. */
int fe25519_is_zero(FE25519 a);

void fe25519_load(FE25519 r, const uint8_t bytes[FE25519_BYTES]);

/* Loads 255 bits; returns 0, or -1 unless they are below 2^255 - 19. */
int fe25519_load_reduced(FE25519 r, const uint8_t bytes[FE25519_BYTES]);

/* Reduces the element to its representative below 2^255 - 19, and stores its bytes. */
void fe25519_store(uint8_t bytes[FE25519_BYTES], FE25519 a);

#endif
