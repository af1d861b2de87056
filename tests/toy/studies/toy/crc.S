/* crc_byte(r0: CRC, r1: byte) is the CRC behind the byte, in r0. */

#include "toy.inc"

    .section .text.crc_byte, "ax", @progbits
    .globl  crc_byte
    .type   crc_byte, @function
crc_byte:
    ldi     x5, 8
    /* There is no shift to the left but by sums. */
1:  add     x1, x1
    ldi     x2, 0xff
    ldh     x2, 0xff
    add     x5, x2
    bz      x5, 2f
    ldi     x2, 0
    bz      x2, 1b
2:  xor     x0, x1
    ldi     x5, 8
3:  ldi     x3, 0
    xor     x3, x0
    shr     x3, 15
    add     x0, x0
    bz      x3, 4f
    ldi     x3, 0x21
    ldh     x3, 0x10
    xor     x0, x3
4:  ldi     x2, 0xff
    ldh     x2, 0xff
    add     x5, x2
    bz      x5, 5f
    ldi     x2, 0
    bz      x2, 3b
5:  jr      x7
    ldi     x3, 0
    .size   crc_byte, . - crc_byte
