/* Peripherals of a cocrypt device: 32-bit registers, to be accessed as words. */

#ifndef COCRYPT_DEVICE_H
#define COCRYPT_DEVICE_H

#include <stdint.h>

/* Where the peripherals begin; a device may have them elsewhere, and then says so to the compiler. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000u
#endif

/* The console: a write sends the low byte; a read takes the next byte that came in, or ~0. */
#define COCRYPT_CONSOLE     (COCRYPT_PERIPHERALS + 0x00u)
/* Cycles, low half; the high half stands at + 4. */
#define COCRYPT_COUNTER     (COCRYPT_PERIPHERALS + 0x10u)
/* A write ends the run; its value is the exit code. */
#define COCRYPT_EXIT        (COCRYPT_PERIPHERALS + 0x20u)
/* A write goes on record, with its cycle. */
#define COCRYPT_MARKS       (COCRYPT_PERIPHERALS + 0x30u)
/* As the counter; at + 8 and + 12 stands from when on it interrupts. */
#define COCRYPT_TIMER       (COCRYPT_PERIPHERALS + 0x40u)
/* Copies words while the core waits, where a device has it: source, target, and words, which starts it. */
#define COCRYPT_DMA         (COCRYPT_PERIPHERALS + 0x50u)
/* The coprocessor's registers; a device may have them elsewhere too. */
#ifndef COCRYPT_COPROCESSOR
#define COCRYPT_COPROCESSOR (COCRYPT_PERIPHERALS + 0x10000u)
#endif

static inline void device_write(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

static inline uint32_t device_read(uint32_t address)
{
    return *(volatile const uint32_t *)(uintptr_t)address;
}

/* Moves words by DMA, up to 65,535 at once; what is in memory must be there before. */
static inline void device_copy(uint32_t target, uint32_t source, uint32_t words)
{
    __asm__ volatile("" ::: "memory");
    device_write(COCRYPT_DMA + 0u, source);
    device_write(COCRYPT_DMA + 4u, target);
    device_write(COCRYPT_DMA + 8u, words);
    __asm__ volatile("" ::: "memory");
}

#endif
