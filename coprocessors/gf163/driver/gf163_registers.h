/* Multiplication in GF(2^163), four bits a cycle.
 * Registers: offsets in its window, in bytes. */

#ifndef GF163_REGISTERS_H
#define GF163_REGISTERS_H

#include <stdint.h>

enum {
    GF163_CONTROL = 0x000,
    GF163_STATUS  = 0x004,
    GF163_X       = 0x040,
    GF163_Y       = 0x060,
    GF163_Z       = 0x080
};

/* Starts a multiplication. */
#define GF163_CONTROL_START 0x00000001u /* Writing 1 starts the operation. */

/* State of the operation. */
#define GF163_STATUS_DONE 0x00000001u /* The operation has ended; cleared by the next start. */
#define GF163_STATUS_BUSY 0x00000002u /* An operation is running; a start is ignored. */

static inline void gf163_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + GF163_CONTROL) = value;
}

static inline uint32_t gf163_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + GF163_STATUS);
}

static inline void gf163_write_x(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + GF163_X + 4 * word) = value;
}

static inline void gf163_write_y(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + GF163_Y + 4 * word) = value;
}

static inline uint32_t gf163_read_z(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + GF163_Z + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void gf163_run(uintptr_t base, const uint32_t *x, const uint32_t *y, uint32_t *z, uint32_t command);

#endif
