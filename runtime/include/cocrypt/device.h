/* Peripherals of a cocrypt device: 32-bit registers, to be accessed as words. */

#ifndef COCRYPT_DEVICE_H
#define COCRYPT_DEVICE_H

#include <stdint.h>

#define COCRYPT_CONSOLE     0x80000000u /* write: low byte goes out; read: next byte in, or ~0 */
#define COCRYPT_COUNTER     0x80000010u /* read: cycles, low half; high half at + 4            */
#define COCRYPT_EXIT        0x80000020u /* write: exit code, ends the run                      */
#define COCRYPT_MARKS       0x80000030u /* write: value and cycle go on record                 */
#define COCRYPT_TIMER       0x80000040u /* as the counter; + 8, + 12: interrupts from there on */
#define COCRYPT_COPROCESSOR 0x80010000u /* registers of the coprocessor                        */

static inline void device_write(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

static inline uint32_t device_read(uint32_t address)
{
    return *(volatile const uint32_t *)(uintptr_t)address;
}

#endif
