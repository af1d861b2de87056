/* Montgomery multiplication of 32 bits, four bits a cycle.
 * Registers: offsets in its window, in bytes. */

#ifndef MONTGOMERY32_REGISTERS_H
#define MONTGOMERY32_REGISTERS_H

#include <stdint.h>

enum {
    MONTGOMERY32_CONTROL = 0x000,
    MONTGOMERY32_STATUS  = 0x004,
    MONTGOMERY32_X       = 0x040,
    MONTGOMERY32_Y       = 0x044,
    MONTGOMERY32_M       = 0x048,
    MONTGOMERY32_Z       = 0x04c
};

/* Starts a multiplication. */
#define MONTGOMERY32_CONTROL_START 0x00000001u /* Writing 1 starts the operation. */

/* State of the operation. */
#define MONTGOMERY32_STATUS_DONE 0x00000001u /* The operation has ended; cleared by the next start. */
#define MONTGOMERY32_STATUS_BUSY 0x00000002u /* An operation is running; a start is ignored. */

static inline void montgomery32_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + MONTGOMERY32_CONTROL) = value;
}

static inline uint32_t montgomery32_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + MONTGOMERY32_STATUS);
}

static inline void montgomery32_write_x(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + MONTGOMERY32_X) = value;
}

static inline void montgomery32_write_y(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + MONTGOMERY32_Y) = value;
}

static inline void montgomery32_write_m(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + MONTGOMERY32_M) = value;
}

static inline uint32_t montgomery32_read_z(uintptr_t base)
{
    return *(volatile uint32_t *)(base + MONTGOMERY32_Z);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void montgomery32_run(uintptr_t base,
                      const uint32_t *x,
                      const uint32_t *y,
                      const uint32_t *m,
                      uint32_t *z,
                      uint32_t command);

#endif
