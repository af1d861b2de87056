/* PicoRV32's own interrupts, on a core with ENABLE_IRQ and ENABLE_IRQ_QREGS.
 *
 * Source: README.md of YosysHQ/picorv32, "Custom Instructions for IRQ Handling". */

#ifndef COCRYPT_PICORV32_H
#define COCRYPT_PICORV32_H

#include <stdint.h>

#define PICORV32_IRQ_TIMER        0x01u /* the timer within the core                       */
#define PICORV32_IRQ_BREAK        0x02u /* ebreak, ecall, what is no instruction           */
#define PICORV32_IRQ_BUS_ERROR    0x04u /* an access at a wrong address                    */
#define PICORV32_IRQ_SYSTEM_TIMER 0x80u /* the timer of the device, until it is set again  */

/* Changes which interrupts are masked, a bit each, and returns the mask before. */
static inline uint32_t picorv32_maskirq(uint32_t mask)
{
    uint32_t before;
    __asm__ volatile(".insn r 0x0b, 6, 3, %0, %1, x0" : "=r"(before) : "r"(mask) : "memory");
    return before;
}

/* Waits until something asks for an interrupt, masked or not, and returns what does. */
static inline uint32_t picorv32_waitirq(void)
{
    uint32_t pending;
    __asm__ volatile(".insn r 0x0b, 4, 4, %0, x0, x0" : "=r"(pending)::"memory");
    return pending;
}

/* Sets the timer within the core, which asks after so many cycles (0 stops it), and returns what
 * was left of it. The core needs ENABLE_IRQ_TIMER. */
static inline uint32_t picorv32_timer(uint32_t cycles)
{
    uint32_t left;
    __asm__ volatile(".insn r 0x0b, 6, 5, %0, %1, x0" : "=r"(left) : "r"(cycles) : "memory");
    return left;
}

/* Makes `void handler(uint32_t reasons)` what interrupts lead to. It is told a bit for each that
 * is taken; none comes before it returns. To be used once in a program, outside of functions:
 * the vectors at addresses 0 and 0x10 (PROGADDR_IRQ) are placed by it. */
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
