/* Start-up: vectors, stack, initialised and cleared data, main, exit device.
 *
 * Sources: "ARMv7-M Architecture Reference Manual" (DDI 0403), B1.5.3, and "ARMv6-M" (DDI 0419), B1.5.3,
 * for the vector table of the M profile; "ARM Architecture Reference Manual" (DDI 0100), A2.6, for the vectors
 * of the others. On a board with caches and page tables, the boot loader has already enabled them, with an
 * identity mapping. */

/* As in cocrypt/device.h. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000
#endif
    .equ EXIT_DEVICE, COCRYPT_PERIPHERALS + 0x20

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define M_PROFILE 1
#else
#define M_PROFILE 0
#endif

    .syntax unified

/* A handler that a program may define; by default an exception loops forever. */
    .macro handler name
    .word   \name
    .weak   \name
#if M_PROFILE
    .thumb_set \name, cocrypt_unhandled
#else
    .set    \name, cocrypt_unhandled
#endif
    .endm

#if M_PROFILE
    .thumb
    .equ EXTERNAL, 32

    .section .vectors, "a", %progbits
    .globl  _vectors
    .type   _vectors, %object
_vectors:
    .word   _stack_top
    .word   _start
    handler NMI_Handler
    handler HardFault_Handler
    handler MemManage_Handler
    handler BusFault_Handler
    handler UsageFault_Handler
    .word   0, 0, 0, 0
    handler SVC_Handler
    handler DebugMon_Handler
    .word   0
    handler PendSV_Handler
    handler SysTick_Handler
    /* IPSR holds the number of the external interrupt. */
    handler Interrupt_Handler
    .rept   EXTERNAL - 1
    .word   Interrupt_Handler
    .endr
    .size   _vectors, . - _vectors
#else
    .arm

    .section .vectors, "ax", %progbits
    .globl  _vectors
    .type   _vectors, %function
_vectors:
    b       _start
    ldr     pc, 1f
    ldr     pc, 2f
    ldr     pc, 3f
    ldr     pc, 4f
    nop
    ldr     pc, 5f
    ldr     pc, 6f
1:  handler Undefined_Handler
2:  handler SVC_Handler
3:  handler PrefetchAbort_Handler
4:  handler DataAbort_Handler
5:  handler IRQ_Handler
6:  handler FIQ_Handler
    .size   _vectors, . - _vectors
#endif

    .section .text.start, "ax", %progbits
    .globl  _start
    .type   _start, %function
_start:
    ldr     r0, =_stack_top
    mov     sp, r0
    ldr     r0, =_data_load
    ldr     r1, =_data_start
    ldr     r2, =_data_end
    /* If all sections are in one memory, data is loaded in place. */
    cmp     r0, r1
    beq     3f
    b       2f
1:  ldr     r3, [r0]
    str     r3, [r1]
    adds    r0, r0, #4
    adds    r1, r1, #4
2:  cmp     r1, r2
    blo     1b
3:  ldr     r0, =_bss_start
    ldr     r1, =_bss_end
    movs    r2, #0
    b       5f
4:  str     r2, [r0]
    adds    r0, r0, #4
5:  cmp     r0, r1
    blo     4b
    movs    r0, #0
    movs    r1, #0
    bl      main
    ldr     r1, =EXIT_DEVICE
    str     r0, [r1]
    /* The write above ends the run; without an exit device there is nothing left to do. */
6:  b       6b
    .size   _start, . - _start

    .type   cocrypt_unhandled, %function
cocrypt_unhandled:
    b       cocrypt_unhandled
    .size   cocrypt_unhandled, . - cocrypt_unhandled
    .pool
