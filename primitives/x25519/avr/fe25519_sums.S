/* Sums modulo 2^255 - 19: fe25519_add(r, a, b) and fe25519_subtract(r, a, b).
 *
 * Multiples of 2^255 are first subtracted from the highest bytes, as additions of 19 each, so that one carry chain is
 * enough: the rest of the highest byte has room for the carry. A difference gets as many multiples of 2^255 added as
 * keep it from being negative. */

#include "frame.h"

    .macro  load_sum byte
    ld      \byte, X+
    ld      r0, Z+
    adc     \byte, r0
    .endm

    .macro  load_difference byte
    ld      \byte, X+
    ld      r0, Z+
    sbc     \byte, r0
    .endm

    .macro  store_y byte
    st      Y+, \byte
    .endm

/* X and Z point to the operands and Y to the result; r18 and r19 are their highest bytes, halved. */
    .macro  take_operands
    push_all KEPT
    movw    r26, r22
    movw    r30, r20
    movw    r28, r24
    adiw    r26, 31
    ld      r18, X
    sbiw    r26, 31
    ldd     r19, Z + 31
    lsr     r18
    lsr     r19
    .endm

/* The number of multiples of 2^255 comes in the highest two bits of r18; r19 becomes their part in the highest byte,
 * and r18 19 times the number. */
    .macro  count_multiples
    swap    r18
    lsr     r18
    lsr     r18
    andi    r18, 3
    .endm

    .macro  weigh_multiples
    mov     r19, r18
    lsr     r19
    sbc     r19, r19
    andi    r19, 0x80
    ldi     r20, 19
    mul     r18, r20
    mov     r18, r0
    clr     r1
    clr     r20
    .endm

/* Processes sixteen bytes, with the carry in bit 0 of r20, and the correction in r18. */
    .macro  half load, operation, carries
    lsr     r20
    each    \load, BOTH
    rol     r20
    \operation r2, r18
    .irp    one, r3, r4, r5, r6, r7, r8, r9, HIGH
    \carries \one, r1
    .endr
    ldi     r18, 0
    rol     r18
    .endm

    function fe25519_add
    take_operands
    add     r18, r19
    count_multiples
    weigh_multiples
    half    load_sum, add, adc
    each    store_y, BOTH
    half    load_sum, add, adc
    eor     r17, r19
    each    store_y, BOTH
    pop_all KEPT_BACK
    wipe_registers
    ret
    end     fe25519_add

    function fe25519_subtract
    take_operands
    sub     r18, r19
    subi    r18, 0x80
    count_multiples
    ldi     r19, 3
    eor     r18, r19
    weigh_multiples
    half    load_difference, sub, sbc
    each    store_y, BOTH
    half    load_difference, sub, sbc
    eor     r17, r19
    each    store_y, BOTH
    pop_all KEPT_BACK
    wipe_registers
    ret
    end     fe25519_subtract
