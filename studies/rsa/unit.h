/* The coprocessor rsa_unit: as wide as the modulus, unless UNIT_WORDS defines another number of words. Operands
 * have its full width or half of it. */

#ifndef UNIT_H
#define UNIT_H

#include "cocrypt/device.h"
#include "numbers.h"
#include "rsa_unit_registers.h"

#define UNIT ((uintptr_t)COCRYPT_COPROCESSOR)

#ifndef UNIT_WORDS
#define UNIT_WORDS WORDS
#endif

/* Writes an operand of the given number of words to the unit. */
void unit_write_x(const uint32_t *x, unsigned words);
void unit_write_y(const uint32_t *y, unsigned words);
void unit_write_m(const uint32_t *m, unsigned words);

/* Reads the result, of the given number of words. */
void unit_read(uint32_t *z, unsigned words);

/* Starts the unit with these bits of the control register, and waits until it is done. */
void unit_multiply(uint32_t command, unsigned words);

/* Waits until the unit is done; a separate function, so that a profile shows the waiting time. */
__attribute__((noinline)) void unit_wait(void);

#endif
