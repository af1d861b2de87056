/* Keccak-f[1600], a round a cycle.
 * Registers: offsets in its window, in bytes. */

#ifndef KECCAK_REGISTERS_H
#define KECCAK_REGISTERS_H

#include <stdint.h>

enum {
    KECCAK_CONTROL = 0x000,
    KECCAK_STATUS  = 0x004,
    KECCAK_ABSORB  = 0x040,
    KECCAK_SQUEEZE = 0x140
};

/* Permutes the state, or wipes it. */
#define KECCAK_CONTROL_START 0x00000001u /* Writing 1 starts the operation. */
#define KECCAK_CONTROL_CLEAR 0x00000002u /* Writing 1 sets the state to 0. */

/* State of the operation. */
#define KECCAK_STATUS_DONE 0x00000001u /* The operation has ended; cleared by the next start. */
#define KECCAK_STATUS_BUSY 0x00000002u /* An operation is running; a start is ignored. */

static inline void keccak_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + KECCAK_CONTROL) = value;
}

static inline uint32_t keccak_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + KECCAK_STATUS);
}

static inline void keccak_write_absorb(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + KECCAK_ABSORB + 4 * word) = value;
}

static inline uint32_t keccak_read_squeeze(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + KECCAK_SQUEEZE + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void keccak_run(uintptr_t base, const uint32_t *absorb, uint32_t *squeeze, uint32_t command);

#endif
