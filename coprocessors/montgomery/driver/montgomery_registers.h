/* Montgomery multiplication of 256 bits, four bits a cycle.
 * Registers: offsets in its window, in bytes. */

#ifndef MONTGOMERY_REGISTERS_H
#define MONTGOMERY_REGISTERS_H

#include <stdint.h>

enum {
    MONTGOMERY_CONTROL = 0x000,
    MONTGOMERY_STATUS  = 0x004,
    MONTGOMERY_X       = 0x040,
    MONTGOMERY_Y       = 0x060,
    MONTGOMERY_M       = 0x080,
    MONTGOMERY_Z       = 0x0a0
};

/* Starts a multiplication. */
#define MONTGOMERY_CONTROL_START 0x00000001u /* Writing 1 starts the operation. */

/* State of the operation. */
#define MONTGOMERY_STATUS_DONE 0x00000001u /* The operation has ended; cleared by the next start. */
#define MONTGOMERY_STATUS_BUSY 0x00000002u /* An operation is running; a start is ignored. */

static inline void montgomery_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + MONTGOMERY_CONTROL) = value;
}

static inline uint32_t montgomery_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + MONTGOMERY_STATUS);
}

static inline void montgomery_write_x(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + MONTGOMERY_X + 4 * word) = value;
}

static inline void montgomery_write_y(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + MONTGOMERY_Y + 4 * word) = value;
}

static inline void montgomery_write_m(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + MONTGOMERY_M + 4 * word) = value;
}

static inline uint32_t montgomery_read_z(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + MONTGOMERY_Z + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void montgomery_run(uintptr_t base,
                    const uint32_t *x,
                    const uint32_t *y,
                    const uint32_t *m,
                    uint32_t *z,
                    uint32_t command);

#endif
