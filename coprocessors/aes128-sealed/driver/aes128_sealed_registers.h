/* AES-128 encryption under keys that never cross the bus.
 * Registers: offsets in its window, in bytes. */

#ifndef AES128_SEALED_REGISTERS_H
#define AES128_SEALED_REGISTERS_H

#include <stdint.h>

enum {
    AES128_SEALED_CONTROL = 0x000,
    AES128_SEALED_STATUS  = 0x004,
    AES128_SEALED_TEXT    = 0x060,
    AES128_SEALED_RESULT  = 0x080
};

/* Loads a key, or starts an encryption. */
#define AES128_SEALED_CONTROL_START 0x00000001u /* Writing 1 starts the operation. */
#define AES128_SEALED_CONTROL_LOAD  0x00000002u /* Writing 1 loads the key register from the storage inside. */
#define AES128_SEALED_CONTROL_SLOT  0x00000030u /* With load: which of the four keys. */
#define AES128_SEALED_CONTROL_SLOT_SHIFT 4

/* State of the operation. */
#define AES128_SEALED_STATUS_DONE   0x00000001u /* The operation has ended; cleared by the next start. */
#define AES128_SEALED_STATUS_BUSY   0x00000002u /* An operation is running; a start is ignored. */
#define AES128_SEALED_STATUS_LOADED 0x00000004u /* The key register holds a key. */

static inline void aes128_sealed_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + AES128_SEALED_CONTROL) = value;
}

static inline uint32_t aes128_sealed_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + AES128_SEALED_STATUS);
}

static inline void aes128_sealed_write_text(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + AES128_SEALED_TEXT + 4 * word) = value;
}

static inline uint32_t aes128_sealed_read_result(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + AES128_SEALED_RESULT + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void aes128_sealed_run(uintptr_t base, const uint32_t *text, uint32_t *result, uint32_t command);

#endif
