/* Trivium, 32 bits a cycle.
 * Registers: offsets in its window, in bytes. */

#ifndef TRIVIUM_REGISTERS_H
#define TRIVIUM_REGISTERS_H

#include <stdint.h>

enum {
    TRIVIUM_CONTROL = 0x000,
    TRIVIUM_STATUS  = 0x004,
    TRIVIUM_KEY     = 0x040,
    TRIVIUM_IV      = 0x060,
    TRIVIUM_STREAM  = 0x080
};

/* Begins a key stream, or goes on with it. */
#define TRIVIUM_CONTROL_START 0x00000001u /* Writing 1 starts the operation. */
#define TRIVIUM_CONTROL_FIRST 0x00000002u /* With start: take key and initial value, and begin. */

/* State of the operation. */
#define TRIVIUM_STATUS_DONE 0x00000001u /* The operation has ended; cleared by the next start. */
#define TRIVIUM_STATUS_BUSY 0x00000002u /* An operation is running; a start is ignored. */

static inline void trivium_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + TRIVIUM_CONTROL) = value;
}

static inline uint32_t trivium_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + TRIVIUM_STATUS);
}

static inline void trivium_write_key(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + TRIVIUM_KEY + 4 * word) = value;
}

static inline void trivium_write_iv(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + TRIVIUM_IV + 4 * word) = value;
}

static inline uint32_t trivium_read_stream(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + TRIVIUM_STREAM + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void trivium_run(uintptr_t base,
                 const uint32_t *key,
                 const uint32_t *iv,
                 uint32_t *stream,
                 uint32_t command);

#endif
