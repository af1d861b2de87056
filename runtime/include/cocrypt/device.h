/* Peripherals of a cocrypt device: 32-bit registers with word access only. */

#ifndef COCRYPT_DEVICE_H
#define COCRYPT_DEVICE_H

#include <stdint.h>

/* Base address of the peripherals; for a device with another one, the build defines it by -D. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000u
#endif

/* Console: a write sends the low byte; a read returns the next received byte, or ~0 if there is none. */
#define COCRYPT_CONSOLE     (COCRYPT_PERIPHERALS + 0x00u)
/* Cycle counter, low half; the high half is at + 4. */
#define COCRYPT_COUNTER     (COCRYPT_PERIPHERALS + 0x10u)
/* A write ends the run; its value is the exit code. */
#define COCRYPT_EXIT        (COCRYPT_PERIPHERALS + 0x20u)
/* A write is recorded as a mark: its value and its cycle. */
#define COCRYPT_MARKS       (COCRYPT_PERIPHERALS + 0x30u)
/* Timer: the cycle counter, and at + 8 and + 12 the compare value, from which on it requests an interrupt. */
#define COCRYPT_TIMER       (COCRYPT_PERIPHERALS + 0x40u)
/* DMA controller (optional): source, target, and the number of words, whose write starts it and stalls the core. */
#define COCRYPT_DMA         (COCRYPT_PERIPHERALS + 0x50u)
/* Base address of the coprocessor's registers, which a build may define as well. */
#ifndef COCRYPT_COPROCESSOR
#define COCRYPT_COPROCESSOR (COCRYPT_PERIPHERALS + 0x10000u)
#endif

#ifdef __SDCC_mcs51
/* External data of the 8051, whose addresses have 16 bits; no device of it has DMA. */
#define device_write(address, value) (*(volatile __xdata uint32_t *)(uint16_t)(address) = (value))
#define device_read(address)         (*(volatile const __xdata uint32_t *)(uint16_t)(address))
#else
static inline void device_write(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

static inline uint32_t device_read(uint32_t address)
{
    return *(volatile const uint32_t *)(uintptr_t)address;
}

/* Copies up to 65,535 words by DMA. The compiler must store pending values before it, and reload them after it. */
static inline void device_copy(uint32_t target, uint32_t source, uint32_t words)
{
    __asm__ volatile("" ::: "memory");
    device_write(COCRYPT_DMA + 0u, source);
    device_write(COCRYPT_DMA + 4u, target);
    device_write(COCRYPT_DMA + 8u, words);
    __asm__ volatile("" ::: "memory");
}
#endif

#endif
