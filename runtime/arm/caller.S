/* Executes the calls of a table that the host writes into memory, each between two marks.
 *
 * The number of calls is at _stack_limit, and the table 16 bytes after it, with 64 bytes for each call: the function's
 * address, with bit 0 set for Thumb, four register arguments, ten words of stack arguments, and a word for the return
 * value. The first pair of marks has nothing between them: a call takes the distance of its pair minus that of the
 * first one. Both marks of a pair are in one line of a cache or of a flash memory's buffer. */

/* As in cocrypt/device.h. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000
#endif
    .equ MARKS, COCRYPT_PERIPHERALS + 0x30
    .equ EXIT_DEVICE, COCRYPT_PERIPHERALS + 0x20
    .equ STACKED, 10
    .equ FRAME, 4 * STACKED
    .equ LINE, 32

    .syntax unified
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    .thumb
#else
    .arm
#endif

/* Calls with one instruction between the marks. ARMv4 has no indirect call that also sets the link register: it sets
 * lr before the first mark, where the others execute a nop, so that all execute the same number of instructions. */
    .macro prepare
#if __ARM_ARCH == 4
    adr     lr, 2f
#else
    nop
#endif
    .endm

    .macro call_subject
#if defined(__ARM_ARCH_4T__)
    bx      r4
#elif __ARM_ARCH == 4
    mov     pc, r4
#else
    blx     r4
#endif
    .endm

    .macro stacked first, last
    .set    word, \first
    .rept   \last - \first + 1
    ldr     r0, [r5, #20 + 4 * word]
    str     r0, [sp, #4 * word]
    .set    word, word + 1
    .endr
    .endm

    .section .text.start, "ax", %progbits
    .globl  main
    .type   main, %function
main:
    sub     sp, sp, #FRAME
    ldr     r5, =_stack_limit
    ldr     r6, =MARKS
    movs    r7, #0
    ldr     r0, [r5]
    adds    r5, r5, #16
    lsls    r0, r0, #6
    adds    r0, r0, r5
    mov     r8, r0
    b       1f
    .balign LINE
1:  str     r7, [r6]
    str     r7, [r6]
    b       4f
3:  stacked 0, STACKED - 1
    ldr     r0, [r5, #4]
    ldr     r1, [r5, #8]
    ldr     r2, [r5, #12]
    ldr     r3, [r5, #16]
    ldr     r4, [r5]
    prepare
    b       1f
    .balign LINE
1:  str     r7, [r6]
    call_subject
2:  str     r7, [r6]
    str     r0, [r5, #60]
    adds    r5, r5, #64
4:  cmp     r5, r8
    bne     3b
    movs    r0, #0
    ldr     r1, =EXIT_DEVICE
    str     r0, [r1]
5:  b       5b
    .size   main, . - main
    .pool
