/* Reads a byte of each section of flash memory in the window of the data space: first of the one that is there after
 * reset, then of those that FLMAP selects, and of one behind it is locked. */

    .equ CTRLB, 0x1001
    .equ WINDOW, 0x8010
    .equ RESULTS, 0x4000
    .equ EXIT_DEVICE, 0x2020

    .macro  show
    lds     r16, WINDOW
    st      X+, r16
    lds     r16, CTRLB
    st      X+, r16
    .endm

    .macro  select value
    ldi     r16, \value
    sts     CTRLB, r16
    show
    .endm

    .text
    .globl  main
main:
    ldi     r26, lo8(RESULTS)
    ldi     r27, hi8(RESULTS)
    show
    select  0x00
    select  0x10
    select  0x20
    select  0x30
    select  0x90
    select  0x20
    clr     r16
    sts     EXIT_DEVICE, r16
    sts     EXIT_DEVICE + 1, r16
    sts     EXIT_DEVICE + 2, r16
    sts     EXIT_DEVICE + 3, r16
    rjmp    .

    .section .first, "ax"
    .byte   0xa1
    .section .second, "ax"
    .byte   0xb2
    .section .third, "ax"
    .byte   0xc3
    .section .fourth, "ax"
    .byte   0xd4
