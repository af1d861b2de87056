/* Products and squares modulo 2^255 - 19: fe25519_multiply(r, a, b) and fe25519_square(r, a), which return 0.
 *
 * A product of 256 bits is computed from three of 128 bits, and these from three of 64 (Karatsuba). Words from 2^256 on
 * count 38 times in the result, which is below 2^256. */

    .section .text.fe25519_multiply, "ax", @progbits
#include "multiply_128.h"

/* The frame: the product, the third product of 128 bits with its scratch memory behind it, and the differences that are
 * its factors. */
#define THIRD       64
#define DIFFERENCES 112
#define FRAME       144

    .macro  subtract_from_z byte, at
    ldd     r0, Z + \at
    sbc     \byte, r0
    .endm

/* Stores the absolute difference of the two halves of the number at Z to X; r\sign is all ones if the upper half is the
 * smaller one. */
    .macro  difference_of_halves sign
    each_at load_z, 16, BOTH
    clc
    each_at subtract_from_z, 0, BOTH
    sbc     \sign, \sign
    negate  \sign, BOTH
    each    store_x, BOTH
    .endm

    .macro  to_differences
    movw    r26, r28
    subi    r26, lo8(-(DIFFERENCES))
    sbci    r27, hi8(-(DIFFERENCES))
    .endm

/* Adds the lowest bytes to the lower half of the product's middle, in memory, since the registers hold the operands for
 * the upper half. */
    .macro  add_lowest byte, at
    ldd     r0, Y + \at
    adc     r0, \byte
    std     Y + 16 + \at, r0
    .endm

    .macro  add_highest byte, at
    ldd     r0, Y + 48 + \at
    adc     \byte, r0
    .endm

    .macro  add_masked at
    ldd     r0, Z + \at
    eor     r0, r24
    ldd     r1, Y + 16 + \at
    adc     r1, r0
    std     Y + 16 + \at, r1
    .endm

    .macro  put_upper byte, at
    std     Y + 32 + \at, \byte
    .endm

    .macro  load_second byte, at
    ldd     \byte, Y + 16 + \at
    .endm

    .macro  add_third byte, at
    ldd     r0, Y + 32 + \at
    adc     \byte, r0
    .endm

/* Like combine_128 for twice as many bytes; Y points to the product and Z to the third product. */
    .type   combine_256, @function
combine_256:
    clr     r25
    each_at load_second, 0, BOTH
    clc
    each_at add_third, 0, BOTH
    clr     r22
    adc     r22, r22
    clc
    each_at add_lowest, 0, BOTH
    clr     r23
    adc     r23, r23
    add     r2, r22
    carry_on r25, r3, r4, r5, r6, r7, r8, r9, HIGH
    lsr     r23
    each_at add_highest, 0, BOTH
    adc     r22, r25
    mov     r23, r24
    lsr     r23
    .irp    at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    add_masked \at
    .endr
    each_at add_masked_from_z, 16, BOTH
    adc     r22, r24
    each_at put_upper, 0, BOTH
    movw    r26, r28
    adiw    r26, 48
    ld      r0, X
    add     r0, r22
    st      X+, r0
    .rept   15
    ld      r0, X
    adc     r0, r25
    st      X+, r0
    .endr
    ret
    end     combine_256

/* Adds 38 times a byte from 2^256 on to the byte that it folds to, with the carry in r19 and \high. */
    .macro  reduce_byte at, high
    ldd     r24, Y + 32 + \at
    mul     r24, r18
    add     r0, r19
    adc     r1, \high
    ldd     r24, Y + \at
    add     r0, r24
    adc     r1, r20
    st      X+, r0
    mov     r19, r1
    .endm

/* Reduces the product at Y to 256 bits at X. Multiples of 2^255 in the highest byte's sum are subtracted first, as
 * additions of 19 each; the rest has room for the carries of the other bytes, so that one pass is enough. */
    .type   reduce, @function
reduce:
    ldi     r18, 38
    ldi     r19, 19
    clr     r20
    ldd     r24, Y + 63
    mul     r24, r18
    ldd     r24, Y + 31
    add     r0, r24
    adc     r1, r20
    lsl     r0
    rol     r1
    lsr     r0
    mov     r22, r0
    mul     r1, r19
    mov     r19, r0
    mov     r23, r1
    reduce_byte 0, r23
    adiw    r28, 1
    ldi     r21, 5
1:  .irp    at, 0, 1, 2, 3, 4, 5
    reduce_byte \at, r20
    .endr
    adiw    r28, 6
    dec     r21
    brne    1b
    sbiw    r28, 31
    add     r22, r19
    st      X, r22
    ret
    end     reduce

    .globl  fe25519_multiply
    .type   fe25519_multiply, @function
fe25519_multiply:
    push_all KEPT, r24, r25
    make_frame FRAME
    to_differences
    movw    r30, r22
    difference_of_halves r24
    movw    r30, r20
    difference_of_halves r25
    eor     r24, r25
    com     r24
    push    r24
/* Y points to the second factor, and later to the frame again. */
    push_all r28, r29
    movw    r30, r28
    movw    r26, r22
    movw    r28, r20
    rcall   multiply_128
    adiw    r26, 8
    adiw    r28, 16
    adiw    r30, 32
    rcall   multiply_128
    adiw    r30, 32
    movw    r26, r30
    adiw    r26, DIFFERENCES - THIRD
    movw    r28, r26
    adiw    r28, 16
    rcall   multiply_128
    pop_all r29, r28, r24
    rjmp    finish
    end     fe25519_multiply

    .globl  fe25519_square
    .type   fe25519_square, @function
fe25519_square:
    push_all KEPT, r24, r25
    make_frame FRAME
    to_differences
    movw    r30, r22
    difference_of_halves r24
    push_all r28, r29
    movw    r30, r28
    movw    r26, r22
    rcall   square_128
    adiw    r26, 8
    adiw    r30, 32
    rcall   square_128
    adiw    r30, 32
    movw    r26, r30
    adiw    r26, DIFFERENCES - THIRD
    rcall   square_128
    pop_all r29, r28
    ldi     r24, 0xff
finish:
    rcall   combine_256
    movw    r30, r28
    subi    r30, lo8(-(FRAME))
    sbci    r31, hi8(-(FRAME))
    ld      r27, Z+
    ld      r26, Z
    rcall   reduce
    leave_frame FRAME
    pop_all r25, r24, KEPT_BACK
    wipe_registers
    ret
    end     fe25519_square
