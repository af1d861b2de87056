/* The same by the coprocessor: its registers have 32 bits, and are written and read half by half. */

#include "toy.inc"

    .equ    UNIT, COCRYPT_COPROCESSOR

    /* Stores r1 to the register in r5, which is then behind it. */
    .macro  write
    sw      x1, x5
    add     x5, x2
    ldi     x1, 0
    sw      x1, x5
    add     x5, x2
    .endm

    .section .text.crc_byte, "ax", @progbits
    .globl  crc_byte
    .type   crc_byte, @function
crc_byte:
    ldi     x5, UNIT & 0xff
    ldh     x5, UNIT >> 8
    ldi     x2, 2
    ldi     x3, 0
    xor     x3, x1
    ldi     x1, 0
    xor     x1, x0
    write
    ldi     x1, 0
    xor     x1, x3
    write
1:  lw      x1, x5
    add     x5, x2
    lw      x3, x5
    ldi     x3, 0xfe
    ldh     x3, 0xff
    add     x5, x3
    bz      x1, 2f
    ldi     x3, 0
    bz      x3, 1b
2:  ldi     x3, 4
    add     x5, x3
    lw      x0, x5
    add     x5, x2
    jr      x7
    lw      x3, x5
    .size   crc_byte, . - crc_byte
