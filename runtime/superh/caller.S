/* Executes the calls of a table that the host writes into memory, each between two marks.
 *
 * The number of calls is at _stack_limit, and the table 16 bytes after it, with 64 bytes for each call: the function's
 * address, four register arguments, ten words of stack arguments, and a word for the return value. The first pair of marks
 * has nothing between them: a call takes the distance of its pair minus that of the first one. The first mark of a pair is
 * at the beginning of a cache's line and the second one in the same line, at an address that is not a multiple of 4, so
 * that fetches delay it in both pairs.
 *
 * Source of the conventions: GCC, `config/sh/sh.h`. */

/* As in cocrypt/device.h. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000
#endif
    .equ MARKS, COCRYPT_PERIPHERALS + 0x30
    .equ EXIT_DEVICE, COCRYPT_PERIPHERALS + 0x20
    .equ STACKED, 10
    .equ FRAME, 4 * STACKED
    .equ LINE, 16
    .equ NOP, 0x0009

    .macro  stacked first, last
    .set    word, \first
    .rept   \last - \first + 1
    mov.l   @(20 + 4 * word, r8), r0
    mov.l   r0, @(4 * word, r15)
    .set    word, word + 1
    .endr
    .endm

    .section .text.start, "ax", @progbits
    .balignw LINE, NOP
    .globl  main
    .type   main, @function
main:
    add     #-FRAME, r15
    mov.l   table, r8
    mov.l   marks, r9
    mov     #0, r11
    mov.l   @r8, r10
    add     #16, r8
    tst     r10, r10
    nop
    mov.l   r11, @r9
    mov.l   r11, @r9
    bt      2f
    nop
1:  stacked 0, STACKED - 1
    mov.l   @(4, r8), r4
    mov.l   @(8, r8), r5
    mov.l   @(12, r8), r6
    mov.l   @(16, r8), r7
    mov.l   @r8, r0
    .balignw LINE, NOP
    mov.l   r11, @r9
    jsr     @r0
    nop
    mov.l   r11, @r9
    mov.l   r0, @(60, r8)
    add     #64, r8
#ifdef __sh1__
    add     #-1, r10
    tst     r10, r10
#else
    dt      r10
#endif
    bf      1b
2:  mov.l   exit_device, r1
    mov     #0, r0
    mov.l   r0, @r1
3:  bra     3b
    nop
    .balign 4
table:       .long _stack_limit
marks:       .long MARKS
exit_device: .long EXIT_DEVICE
    .size   main, . - main
