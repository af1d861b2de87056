/* The field GF(2^255 - 19) in little code: a register file, and programs of one operation. */

#ifndef FIELD25519_H
#define FIELD25519_H

#include "bytes.h"

enum { FIELD_WORDS = 8, FIELD_BYTES = 32 };

/* An element, below 2^256, lowest word first. */
typedef uint32_t FIELD[FIELD_WORDS];

/* The first registers hold 0, 1 and the memory of a product. */
enum { ZERO, ONE, PRODUCT, FIRST = PRODUCT + 2 };

/* A step: register `r` becomes c + a * b, or c - a * b with MINUS. field_step returns its stack depth. */
#define STEP(r, c, a, b) ((r) << 12 | (c) << 8 | (a) << 4 | (b))
enum { MINUS = 0x10000 };

uintptr_t field_step(FIELD *registers, uint32_t step);

/* Runs a program; steps whose bit of `minus` is set subtract, the first step's bit being the lowest. */
void field_run(FIELD *registers, const uint16_t *program, unsigned steps, uint32_t minus);

/* Register r = a to the power of 2^(top + 1) - 1 - `zeros`, where `zeros` is below 32. The inverse is the power of
 * 2^255 - 21. Returns its stack depth. */
uintptr_t field_power(FIELD *registers, unsigned r, unsigned a, unsigned top, unsigned zeros);
enum { FIELD_INVERSE_TOP = 254, FIELD_INVERSE_ZEROS = 0x14 };

/* Clears the registers, and sets the one that holds 1. */
void field_clear(FIELD *registers, unsigned number);
void field_load(FIELD r, const uint8_t bytes[FIELD_BYTES]);

/* Reduces the element to its representative below 2^255 - 19, and stores its bytes. */
void field_store(uint8_t bytes[FIELD_BYTES], FIELD a);

#endif
