/* Executes the calls of a table that the host writes into memory, each between two marks.
 *
 * The number of calls is at _stack_limit, and the table 16 bytes after it, with 64 bytes for each call: the function's
 * address, six register arguments, six words of stack arguments, two words that are not used, and a word for the return
 * value. The first pair of marks has nothing between them: a call takes the distance of its pair minus that of the first
 * one.
 *
 * Source of the conventions: UG984, chapter 4, "MicroBlaze Application Binary Interface": stack arguments are behind the
 * link register's word and the words of the register arguments. */

/* As in cocrypt/device.h. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000
#endif
    .equ MARKS, COCRYPT_PERIPHERALS + 0x30
    .equ EXIT_DEVICE, COCRYPT_PERIPHERALS + 0x20
    .equ RESERVED, 28
    .equ FRAME, RESERVED + 24

    .macro  stacked word
    lwi     r11, r19, 28 + 4 * \word
    swi     r11, r1, RESERVED + 4 * \word
    .endm

    .section .text.start, "ax", @progbits
    .globl  main
    .type   main, @function
main:
    /* The start-up code has reserved such words for main, which saves nothing there. */
    addik   r1, r1, RESERVED - FRAME
    addik   r19, r0, _stack_limit
    addik   r21, r0, MARKS
    lwi     r20, r19, 0
    addik   r19, r19, 16
    swi     r0, r21, 0
    swi     r0, r21, 0
    beqi    r20, 2f
1:  stacked 0
    stacked 1
    stacked 2
    stacked 3
    stacked 4
    stacked 5
    lwi     r5, r19, 4
    lwi     r6, r19, 8
    lwi     r7, r19, 12
    lwi     r8, r19, 16
    lwi     r9, r19, 20
    lwi     r10, r19, 24
    lwi     r11, r19, 0
    swi     r0, r21, 0
    brald   r15, r11
    or      r0, r0, r0
    swi     r0, r21, 0
    swi     r3, r19, 60
    addik   r20, r20, -1
    bneid   r20, 1b
    addik   r19, r19, 64
2:  addik   r11, r0, EXIT_DEVICE
    swi     r0, r11, 0
3:  bri     3b
    .size   main, . - main
