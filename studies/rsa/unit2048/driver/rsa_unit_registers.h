/* Montgomery multiplication of 2048 bits, which can keep its result.
 * Registers: offsets in its window, in bytes. */

#ifndef RSA_UNIT_REGISTERS_H
#define RSA_UNIT_REGISTERS_H

#include <stdint.h>

enum {
    RSA_UNIT_CONTROL = 0x000,
    RSA_UNIT_STATUS  = 0x004,
    RSA_UNIT_X       = 0x040,
    RSA_UNIT_Y       = 0x140,
    RSA_UNIT_M       = 0x240,
    RSA_UNIT_Z       = 0x340
};

/* Starts a multiplication. */
#define RSA_UNIT_CONTROL_START  0x00000001u /* Writing 1 starts the operation. */
#define RSA_UNIT_CONTROL_FIRST  0x00000002u /* The result before in place of x. */
#define RSA_UNIT_CONTROL_SECOND 0x00000004u /* The result before in place of y. */
#define RSA_UNIT_CONTROL_HALF   0x00000008u /* Numbers have half as many words; of x, those of the upper half. */

/* State of the operation. */
#define RSA_UNIT_STATUS_DONE 0x00000001u /* The operation has ended; cleared by the next start. */
#define RSA_UNIT_STATUS_BUSY 0x00000002u /* An operation is running; a start is ignored. */

static inline void rsa_unit_write_control(uintptr_t base, uint32_t value)
{
    *(volatile uint32_t *)(base + RSA_UNIT_CONTROL) = value;
}

static inline uint32_t rsa_unit_read_status(uintptr_t base)
{
    return *(volatile uint32_t *)(base + RSA_UNIT_STATUS);
}

static inline void rsa_unit_write_x(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + RSA_UNIT_X + 4 * word) = value;
}

static inline void rsa_unit_write_y(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + RSA_UNIT_Y + 4 * word) = value;
}

static inline void rsa_unit_write_m(uintptr_t base, unsigned word, uint32_t value)
{
    *(volatile uint32_t *)(base + RSA_UNIT_M + 4 * word) = value;
}

static inline uint32_t rsa_unit_read_z(uintptr_t base, unsigned word)
{
    return *(volatile uint32_t *)(base + RSA_UNIT_Z + 4 * word);
}

/* Runs an operation: writes the operands and the command, polls the status, reads the result. */
void rsa_unit_run(uintptr_t base,
                  const uint32_t *x,
                  const uint32_t *y,
                  const uint32_t *m,
                  uint32_t *z,
                  uint32_t command);

#endif
