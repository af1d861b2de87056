/* PicoRV32's non-standard interrupts, on a core with ENABLE_IRQ and ENABLE_IRQ_QREGS.
 *
 * Source: README.md of YosysHQ/picorv32, "Custom Instructions for IRQ Handling". */

#ifndef COCRYPT_PICORV32_H
#define COCRYPT_PICORV32_H

#include <stdint.h>

#define PICORV32_IRQ_TIMER        0x01u /* the timer within the core                       */
#define PICORV32_IRQ_BREAK        0x02u /* ebreak, ecall, illegal instruction              */
#define PICORV32_IRQ_BUS_ERROR    0x04u /* misaligned access                               */
#define PICORV32_IRQ_SYSTEM_TIMER 0x80u /* the device's timer, until it is set again       */

/* Sets the interrupt mask (1: disabled), and returns the previous mask. */
static inline uint32_t picorv32_maskirq(uint32_t mask)
{
    uint32_t before;
    __asm__ volatile(".insn r 0x0b, 6, 3, %0, %1, x0" : "=r"(before) : "r"(mask) : "memory");
    return before;
}

/* Waits until an interrupt is pending, masked or not, and returns the pending interrupts. */
static inline uint32_t picorv32_waitirq(void)
{
    uint32_t pending;
    __asm__ volatile(".insn r 0x0b, 4, 4, %0, x0, x0" : "=r"(pending)::"memory");
    return pending;
}

/* Sets the core's own timer, which requests an interrupt after the given number of cycles (0 stops
 * it), and returns its previous count. The core needs ENABLE_IRQ_TIMER. */
static inline uint32_t picorv32_timer(uint32_t cycles)
{
    uint32_t left;
    __asm__ volatile(".insn r 0x0b, 6, 5, %0, %1, x0" : "=r"(left) : "r"(cycles) : "memory");
    return left;
}

/* Installs `void handler(uint32_t reasons)` as the interrupt handler. `reasons` has a bit for each
 * interrupt taken; no other interrupt is taken before it returns. Use it once in a program, outside
 * of functions: it defines the vectors at addresses 0 and 0x10 (PROGADDR_IRQ). */
#define PICORV32_INTERRUPT_HANDLER(handler)                                                       \
    __attribute__((naked, used, section(".vectors"))) static void picorv32_vectors(void)          \
    {                                                                                             \
        __asm__ volatile(".option push\n.option norvc\n"                                          \
                         "j _start\n.balign 16\n"                                                 \
                         "addi sp, sp, -64\n"                                                     \
                         "sw ra, 60(sp)\nsw t0, 56(sp)\nsw t1, 52(sp)\nsw t2, 48(sp)\n"           \
                         "sw a0, 44(sp)\nsw a1, 40(sp)\nsw a2, 36(sp)\nsw a3, 32(sp)\n"           \
                         "sw a4, 28(sp)\nsw a5, 24(sp)\nsw a6, 20(sp)\nsw a7, 16(sp)\n"           \
                         "sw t3, 12(sp)\nsw t4, 8(sp)\nsw t5, 4(sp)\nsw t6, 0(sp)\n"              \
                         ".insn r 0x0b, 4, 0, a0, x1, x0\n" /* getq a0, q1 */                     \
                         "call %0\n"                                                              \
                         "lw ra, 60(sp)\nlw t0, 56(sp)\nlw t1, 52(sp)\nlw t2, 48(sp)\n"           \
                         "lw a0, 44(sp)\nlw a1, 40(sp)\nlw a2, 36(sp)\nlw a3, 32(sp)\n"           \
                         "lw a4, 28(sp)\nlw a5, 24(sp)\nlw a6, 20(sp)\nlw a7, 16(sp)\n"           \
                         "lw t3, 12(sp)\nlw t4, 8(sp)\nlw t5, 4(sp)\nlw t6, 0(sp)\n"              \
                         "addi sp, sp, 64\n"                                                      \
                         ".insn r 0x0b, 0, 2, x0, x0, x0\n" /* retirq */                          \
                         ".option pop" ::"i"(handler));                                           \
    }                                                                                             \
    _Static_assert(1, "a semicolon belongs here")

#endif
