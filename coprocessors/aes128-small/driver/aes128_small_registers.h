/* AES-128 encryption, a round a cycle, with S-boxes of logic.
 * Registers: offsets in its window, in bytes. */

#ifndef AES128_SMALL_REGISTERS_H
#define AES128_SMALL_REGISTERS_H

#include <stdint.h>

enum {
    AES128_SMALL_CONTROL = 0x000,
    AES128_SMALL_STATUS  = 0x004,
    AES128_SMALL_KEY     = 0x040,
    AES128_SMALL_TEXT    = 0x060,
    AES128_SMALL_RESULT  = 0x080
};

/* Starts an encryption. */
#define AES128_SMALL_CONTROL_START 0x00000001u /* Writing 1 starts the operation. */

/* State of the operation. */
#define AES128_SMALL_STATUS_DONE 0x00000001u /* The operation has ended; cleared by the next start. */
#define AES128_SMALL_STATUS_BUSY 0x00000002u /* An operation is running; a start is ignored. */

static inline void aes128_small_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + AES128_SMALL_CONTROL) = value;
}

static inline uint32_t aes128_small_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + AES128_SMALL_STATUS);
}

static inline void aes128_small_write_key(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + AES128_SMALL_KEY + 4 * word) = value;
}

static inline void aes128_small_write_text(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + AES128_SMALL_TEXT + 4 * word) = value;
}

static inline uint32_t aes128_small_read_result(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + AES128_SMALL_RESULT + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void aes128_small_run(uintptr_t base,
                      const uint32_t *key,
                      const uint32_t *text,
                      uint32_t *result,
                      uint32_t command);

#endif
