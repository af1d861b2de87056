/* SHA-256, a round a cycle.
 * Registers: offsets in its window, in bytes. */

#ifndef SHA256_REGISTERS_H
#define SHA256_REGISTERS_H

#include <stdint.h>

enum {
    SHA256_CONTROL = 0x000,
    SHA256_STATUS  = 0x004,
    SHA256_BLOCK   = 0x040,
    SHA256_DIGEST  = 0x080
};

/* Takes in a block. */
#define SHA256_CONTROL_START 0x00000001u /* Writing 1 starts the operation. */
#define SHA256_CONTROL_FIRST 0x00000002u /* With start: the block begins a message. */

/* State of the operation. */
#define SHA256_STATUS_DONE 0x00000001u /* The operation has ended; cleared by the next start. */
#define SHA256_STATUS_BUSY 0x00000002u /* An operation is running; a start is ignored. */

static inline void sha256_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + SHA256_CONTROL) = value;
}

static inline uint32_t sha256_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + SHA256_STATUS);
}

static inline void sha256_write_block(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + SHA256_BLOCK + 4 * word) = value;
}

static inline uint32_t sha256_read_digest(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + SHA256_DIGEST + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void sha256_run(uintptr_t base, const uint32_t *block, uint32_t *digest, uint32_t command);

#endif
