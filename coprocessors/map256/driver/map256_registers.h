/* Modular arithmetic processor: add, subtract, multiply, divide for odd moduli of up to 256 bits.
 * Registers: offsets in its window, in bytes. */

#ifndef MAP256_REGISTERS_H
#define MAP256_REGISTERS_H

#include <stdint.h>

enum {
    MAP256_CONTROL = 0x000,
    MAP256_STATUS  = 0x004,
    MAP256_X       = 0x040,
    MAP256_Y       = 0x060,
    MAP256_M       = 0x080,
    MAP256_Z       = 0x0a0
};

/* Starts an operation or clears the processor. A start is ignored while an operation runs. */
#define MAP256_CONTROL_OPCODE 0x00000003u /* What to compute: 0 y + x, 1 y - x, 2 y * x, 3 y / x, all modulo m. */
#define MAP256_CONTROL_OPCODE_SHIFT 0
#define MAP256_CONTROL_START  0x00000004u /* Writing 1 starts the operation named by opcode. */
#define MAP256_CONTROL_CLEAR  0x00000008u /* Writing 1 stops what is running and wipes operands, result and status; wins over start. */

/* State of the operation. */
#define MAP256_STATUS_DONE       0x00000001u /* The operation has ended and z holds its result; 0 again after start or clear. */
#define MAP256_STATUS_BUSY       0x00000002u /* An operation runs; operand words written meanwhile are lost. */
#define MAP256_STATUS_NO_INVERSE 0x00000004u /* With done: x has no inverse modulo m (or m is even), and z is 0. */

static inline void map256_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + MAP256_CONTROL) = value;
}

static inline uint32_t map256_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + MAP256_STATUS);
}

static inline void map256_write_x(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + MAP256_X + 4 * word) = value;
}

static inline void map256_write_y(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + MAP256_Y + 4 * word) = value;
}

static inline void map256_write_m(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + MAP256_M + 4 * word) = value;
}

static inline uint32_t map256_read_z(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + MAP256_Z + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void map256_run(uintptr_t base,
                const uint32_t *x,
                const uint32_t *y,
                const uint32_t *m,
                uint32_t *z,
                uint32_t command);

#endif
