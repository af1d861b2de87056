/* The coprocessor rsa_unit: as wide as a modulus, unless UNIT_WORDS says how many words it has. Numbers have
 * all of its words or half of them. */

#ifndef UNIT_H
#define UNIT_H

#include "cocrypt/device.h"
#include "numbers.h"
#include "rsa_unit_registers.h"

#define UNIT ((uintptr_t)COCRYPT_COPROCESSOR)

#ifndef UNIT_WORDS
#define UNIT_WORDS WORDS
#endif

/* Numbers of so many words to the unit. */
void unit_write_x(const uint32_t *x, unsigned words);
void unit_write_y(const uint32_t *y, unsigned words);
void unit_write_m(const uint32_t *m, unsigned words);

/* The result, of so many words. */
void unit_read(uint32_t *z, unsigned words);

/* Starts with these bits of the control register, and waits for the end. */
void unit_multiply(uint32_t command, unsigned words);

/* Waits for the end of what goes on. A function of its own, so that a profile shows it. */
__attribute__((noinline)) void unit_wait(void);

#endif
