/* Products of 128 bits from three of 64 (Karatsuba): with a = a1:a0 and b = b1:b0 the middle words are a0 b0 + a1 b1 -
 * (a1 - a0) (b1 - b0), where the last product is computed from absolute values and a sign.
 *
 * multiply_128 takes the numbers at X and Y, square_128 the number at X. The result goes to Z, followed by 16 bytes of
 * scratch memory. Z and Y are unchanged, X advances by 8. */

#ifndef MULTIPLY_128_H
#define MULTIPLY_128_H

#include "multiply_64.h"

    .macro  subtract_from_x byte
    ld      r0, X+
    sbc     \byte, r0
    .endm

    .macro  subtract_from_y byte, at
    ldd     r0, Y + \at
    sbc     \byte, r0
    .endm

    .macro  add_from_z byte, at
    ldd     r0, Z + \at
    adc     \byte, r0
    .endm

/* The same with a mask that complements the byte if it is all ones. */
    .macro  add_masked_from_z byte, at
    ldd     r0, Z + \at
    eor     r0, r24
    adc     \byte, r0
    .endm

    .macro  put_z byte, at
    std     Z + \at, \byte
    .endm

/* Adds the carry to the highest eight bytes. */
    .macro  carry_to_z at
    ldd     r0, Z + \at
    adc     r0, r1
    std     Z + \at, r0
    .endm

/* Combines the three products at Z. r24 is all ones to subtract the third one, and 0 to add it; subtraction adds the
 * complement and one, which also changes the highest bytes. */
    .type   combine_128, @function
combine_128:
    clr     r1
    each_at load_z, 8, LOW
    clc
    each_at add_from_z, 16, LOW
    clr     r22
    adc     r22, r22
    movw    r10, r2
    movw    r12, r4
    movw    r14, r6
    movw    r16, r8
/* The carry fits the second sum, but not always the one that includes the carry of the first. */
    add     r10, r22
    carry_on r1, r11, r12, r13, r14, r15, r16, r17
    clc
    each_at add_from_z, 0, LOW
    each_at add_from_z, 24, HIGH
    clr     r23
    adc     r22, r23
    mov     r23, r24
    lsr     r23
    each_at add_masked_from_z, 32, BOTH
    adc     r22, r24
    each_at put_z, 8, BOTH
    ldd     r0, Z + 24
    add     r0, r22
    std     Z + 24, r0
    carry_to_z 25
    carry_to_z 26
    carry_to_z 27
    carry_to_z 28
    carry_to_z 29
    carry_to_z 30
    carry_to_z 31
    ret
    end     combine_128

    .type   multiply_128, @function
multiply_128:
    each    load_x, LOW
    each_at load_y, 0, HIGH
    rcall   multiply_64
    each    load_x, LOW
    each_at load_y, 8, HIGH
    rcall   multiply_64
    sbiw    r26, 16
    clc
    each    subtract_from_x, LOW
    sbc     r24, r24
    negate  r24, LOW
    clc
    each_at subtract_from_y, 0, HIGH
    sbc     r25, r25
    negate  r25, HIGH
    eor     r24, r25
    com     r24
    rcall   multiply_64
    sbiw    r30, 48
    rjmp    combine_128
    end     multiply_128

    .type   square_128, @function
square_128:
    each    load_x, LOW
    rcall   square_64
    each    load_x, LOW
    rcall   square_64
    sbiw    r26, 16
    clc
    each    subtract_from_x, LOW
    sbc     r24, r24
    negate  r24, LOW
    rcall   square_64
    sbiw    r30, 48
    ldi     r24, 0xff
    rjmp    combine_128
    end     square_128

#endif
