/* The field of 2^255 - 19 elements in little code: a file of registers, and programs of one operation. */

#ifndef FIELD25519_H
#define FIELD25519_H

#include "bytes.h"

enum { FIELD_WORDS = 8, FIELD_BYTES = 32 };

/* An element, below 2^256, the lowest word first. */
typedef uint32_t FIELD[FIELD_WORDS];

/* The first registers hold 0 and 1, and room for a product. */
enum { ZERO, ONE, PRODUCT, FIRST = PRODUCT + 2 };

/* A step: register `r` becomes c + a * b; or c - a * b, with MINUS. It tells how deep the stack went. */
#define STEP(r, c, a, b) ((r) << 12 | (c) << 8 | (a) << 4 | (b))
enum { MINUS = 0x10000 };

uintptr_t field_step(FIELD *registers, uint32_t step);

/* Runs steps, of which those subtract whose bits of `minus` are set, the first step's lowest. */
void field_run(FIELD *registers, const uint16_t *program, unsigned steps, uint32_t minus);

/* Register r = a to the power of 2^(top + 1) - 1, less `zeros`, which is below 32. The inverse is the power
 * of 2^255 - 21. Tells how deep the stack went. */
uintptr_t field_power(FIELD *registers, unsigned r, unsigned a, unsigned top, unsigned zeros);
enum { FIELD_INVERSE_TOP = 254, FIELD_INVERSE_ZEROS = 0x14 };

/* Clears registers, but for the 1. */
void field_clear(FIELD *registers, unsigned number);
void field_load(FIELD r, const uint8_t bytes[FIELD_BYTES]);

/* The bytes of the representative below 2^255 - 19, which the element becomes. */
void field_store(uint8_t bytes[FIELD_BYTES], FIELD a);

#endif
