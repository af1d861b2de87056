/* fe25519_add_multiple(r, a, b, small): r = a + b small modulo 2^255 - 19, where `small` is below 2^26. */

#include "frame.h"

#define BYTES 32

/* Multiplies a byte of b by the four bytes of `small` into r8:r4, adds it and a byte of a to the carry in r13:r10, and
 * outputs the lowest byte of the sum. */
    .macro  step
    ld      r9, Z+
    mul     r9, r16
    movw    r4, r0
    mul     r9, r18
    movw    r6, r0
    mul     r9, r17
    add     r5, r0
    adc     r6, r1
    adc     r7, r14
    mul     r9, r19
    add     r7, r0
    mov     r8, r1
    adc     r8, r14
    ld      r0, X+
    add     r4, r0
    carry_on r14, r5, r6, r7, r8
    add     r4, r10
    adc     r5, r11
    adc     r6, r12
    adc     r7, r13
    adc     r8, r14
    st      Y+, r4
    mov     r10, r5
    mov     r11, r6
    mov     r12, r7
    mov     r13, r8
    .endm

    function fe25519_add_multiple
    push_all KEPT
    movw    r26, r22
    movw    r30, r20
    movw    r28, r24
    clear_all r10, r11, r12, r13, r14
    ldi     r22, BYTES
1:  step
    dec     r22
    brne    1b
/* Reduction: the carry beyond 2^256 counts 38 times. */
    ldi     r22, 38
    mul     r10, r22
    movw    r4, r0
    mul     r12, r22
    movw    r6, r0
    mul     r11, r22
    add     r5, r0
    adc     r6, r1
    adc     r7, r14
    mul     r13, r22
    add     r7, r0
    mov     r8, r1
    adc     r8, r14
    movw    r28, r24
    clc
    .irp    one, r4, r5, r6, r7, r8
    ld      r0, Y
    adc     r0, \one
    st      Y+, r0
    .endr
    ldi     r23, (BYTES - 5) / 9
2:  .rept   9
    ld      r0, Y
    adc     r0, r14
    st      Y+, r0
    .endr
    dec     r23
    brne    2b
/* If there is another carry, the lowest byte is small, so that this addition does not carry. */
    sbc     r23, r23
    and     r23, r22
    movw    r28, r24
    ld      r0, Y
    add     r0, r23
    st      Y+, r0
    .rept   5
    ld      r0, Y
    adc     r0, r14
    st      Y+, r0
    .endr
    pop_all KEPT_BACK
    wipe_registers
    ret
    end     fe25519_add_multiple
