/* Start-up: stack, main, exit device. Memory is cleared when a program is loaded. */

#include "toy.inc"

    .equ    EXIT_DEVICE, COCRYPT_PERIPHERALS + 0x20

    .section .zero, "a", @progbits
stack:
    .short  _stack_top

    .section .text.start, "ax", @progbits
    .globl  _start
    .type   _start, @function
_start:
    ldi     x6, stack
    lw      x6, x6
    call    main
    ldi     x5, EXIT_DEVICE & 0xff
    ldh     x5, EXIT_DEVICE >> 8
    sw      x0, x5
    ldi     x4, 2
    add     x5, x4
    ldi     x4, 0
    sw      x4, x5
1:  bz      x4, 1b
    .size   _start, . - _start
