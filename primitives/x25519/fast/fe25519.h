/* The field of 2^255 - 19 elements for a core that multiplies 32 by 32 bits. */

#ifndef FE25519_H
#define FE25519_H

#include "bytes.h"

enum { FE25519_WORDS = 8, FE25519_BYTES = 32, FE25519_ROOM = 3 };

/* What the highest word has of 255 bits. */
enum { FE25519_TOP = 0x7fffffff };

/* An element, any representative below 2^256, the lowest word first. Results may be operands, if a comment
 * does not deny it. */
typedef uint32_t FE25519[FE25519_WORDS];

/* Returns its stack depth, for wipe_below(). */
uintptr_t fe25519_multiply(FE25519 r, const FE25519 a, const FE25519 b);
uintptr_t fe25519_square(FE25519 r, const FE25519 a);
void fe25519_add(FE25519 r, const FE25519 a, const FE25519 b);
void fe25519_subtract(FE25519 r, const FE25519 a, const FE25519 b);

/* r = a + b * small; `small` is below 2^26. */
void fe25519_add_multiple(FE25519 r, const FE25519 a, const FE25519 b, uint32_t small);

/* Squares so many times. */
uintptr_t fe25519_square_often(FE25519 r, const FE25519 a, unsigned times);

/* r = a to the power of 2^252 - 3; r is not a. What was computed on the way stays in `room`. */
void fe25519_power(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM]);

/* r = 1 / a, or 0 for 0; otherwise the same. Tells how deep the stack went. */
uintptr_t fe25519_invert(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM]);

/* r = a, if `mask` is all ones; nothing, if it is 0. */
void fe25519_select(FE25519 r, const FE25519 a, uint32_t mask);

/* Exchanges a and b, if `mask` is all ones; nothing, if it is 0. */
void fe25519_swap(FE25519 a, FE25519 b, uint32_t mask);

/* 1 for 0, or else 0; the element becomes its representative below 2^255 - 19. */
int fe25519_is_zero(FE25519 a);

void fe25519_load(FE25519 r, const uint8_t bytes[FE25519_BYTES]);

/* Loads 255 bits; the answer is -1 unless they are below 2^255 - 19. */
int fe25519_load_reduced(FE25519 r, const uint8_t bytes[FE25519_BYTES]);

/* The bytes of the representative below 2^255 - 19, which the element becomes. */
void fe25519_store(uint8_t bytes[FE25519_BYTES], FE25519 a);

#endif
