/* Executes the calls of a table that the host writes into memory, each between two marks.
 *
 * The number of calls is at _stack_limit, and the table 8 bytes after it, with 32 bytes for each call, in 16-bit words:
 * the function's word address, the values of r25:r24, r23:r22 and so on down to r9:r8, five words of stack arguments,
 * and a word for the return value in r25:r24; the one in r23:r22 overwrites the last word of the stack arguments. The
 * first pair of marks has nothing between them: a call takes the distance of its pair minus that of the first one. The
 * write of the last of its four bytes records a mark.
 *
 * Source of the conventions: "avr-gcc", GCC's wiki, "Calling Convention". */

/* As in cocrypt/device.h; pointers have 16 bits. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x8000
#endif
    .equ EXIT_DEVICE, (COCRYPT_PERIPHERALS + 0x20) & 0xffff
    .equ MARKS, (COCRYPT_PERIPHERALS + 0x30) & 0xffff
    .equ FRAME, 10

#define SP_LOW 0x3d
#define SP_HIGH 0x3e

/* Clears all four bytes of a register. */
    .macro  clear register
    sts     \register, r1
    sts     \register + 1, r1
    sts     \register + 2, r1
    sts     \register + 3, r1
    .endm

    .macro  stacked byte
    ldd     r24, Y + 20 + \byte
    st      Z+, r24
    .endm

    .macro  argument pair, place
    ldd     r\pair, Y + \place
    .endm

    .section .text.start, "ax", @progbits
    .globl  main
    .type   main, @function
main:
    /* Only the stack arguments are at the top of the stack: main never returns, and needs no return address. */
    ldi     r24, lo8(_stack_top - 1 - FRAME)
    ldi     r25, hi8(_stack_top - 1 - FRAME)
    out     SP_HIGH, r25
    out     SP_LOW, r24
    ldi     r28, lo8(_stack_limit)
    ldi     r29, hi8(_stack_limit)
    ld      r6, Y
    ldd     r7, Y + 1
    adiw    r28, 8
    ldi     r24, 5
1:  lsl     r6
    rol     r7
    dec     r24
    brne    1b
    add     r6, r28
    adc     r7, r29
    clear   MARKS
    clear   MARKS
    rjmp    4f
3:  ldi     r30, lo8(_stack_top - FRAME)
    ldi     r31, hi8(_stack_top - FRAME)
    stacked 0
    stacked 1
    stacked 2
    stacked 3
    stacked 4
    stacked 5
    stacked 6
    stacked 7
    stacked 8
    stacked 9
    argument 24, 2
    argument 25, 3
    argument 22, 4
    argument 23, 5
    argument 20, 6
    argument 21, 7
    argument 18, 8
    argument 19, 9
    argument 16, 10
    argument 17, 11
    argument 14, 12
    argument 15, 13
    argument 12, 14
    argument 13, 15
    argument 10, 16
    argument 11, 17
    argument 8, 18
    argument 9, 19
    ldd     r30, Y + 0
    ldd     r31, Y + 1
    clear   MARKS
    icall
    clear   MARKS
    std     Y + 28, r22
    std     Y + 29, r23
    std     Y + 30, r24
    std     Y + 31, r25
    adiw    r28, 32
4:  cp      r28, r6
    cpc     r29, r7
    breq    5f
    rjmp    3b
5:  clear   EXIT_DEVICE
6:  rjmp    6b
    .size   main, . - main
