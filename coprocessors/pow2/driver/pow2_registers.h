/* Powers of two.
 * Registers: offsets in its window, in bytes. */

#ifndef POW2_REGISTERS_H
#define POW2_REGISTERS_H

#include <stdint.h>

enum {
    POW2_EXPONENT = 0x040,
    POW2_POWER    = 0x080
};

static inline void pow2_write_exponent(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + POW2_EXPONENT) = value;
}

static inline uint32_t pow2_read_power(uintptr_t base)
{
    return *(volatile uint32_t *)(base + POW2_POWER);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void pow2_run(uintptr_t base, const uint32_t *exponent, uint32_t *power);

#endif
