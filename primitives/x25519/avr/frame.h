/* Stack frames, and numbers of many bytes in registers. */

#ifndef FRAME_H
#define FRAME_H

#include "avr.h"

#define SP_LOW  0x3d
#define SP_HIGH 0x3e
#define STATUS  0x3f

#define KEPT r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
#define KEPT_BACK r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2

/* The registers of a number: all of them, the lower half and the upper half. */
#define LOW  r2, r3, r4, r5, r6, r7, r8, r9
#define HIGH r10, r11, r12, r13, r14, r15, r16, r17
#define BOTH LOW, HIGH

/* Expands a macro for each register; and the same with an offset that counts bytes. */
    .macro  each what, registers:vararg
    .irp    one, \registers
    \what   \one
    .endr
    .endm

    .macro  each_at what, at, first, others:vararg
    \what   \first, (\at)
    .ifnb   \others
    each_at \what, (\at + 1), \others
    .endif
    .endm

/* Allocates a frame of the given number of bytes, and sets Y to its first byte. */
    .macro  make_frame bytes
    in      r28, SP_LOW
    in      r29, SP_HIGH
    subi    r28, lo8(\bytes)
    sbci    r29, hi8(\bytes)
    in      r0, STATUS
    cli
    out     SP_HIGH, r29
    out     STATUS, r0
    out     SP_LOW, r28
    adiw    r28, 1
    .endm

/* Releases the frame at Y. */
    .macro  leave_frame bytes
    subi    r28, lo8(-(\bytes - 1))
    sbci    r29, hi8(-(\bytes - 1))
    in      r0, STATUS
    cli
    out     SP_HIGH, r29
    out     STATUS, r0
    out     SP_LOW, r28
    .endm

    .macro  load_x byte
    ld      \byte, X+
    .endm

    .macro  store_x byte
    st      X+, \byte
    .endm

    .macro  store_z byte
    st      Z+, \byte
    .endm

    .macro  load_y byte, at
    ldd     \byte, Y + \at
    .endm

    .macro  load_z byte, at
    ldd     \byte, Z + \at
    .endm

/* Conditional negation: two's complement if the mask is all ones, unchanged if it is 0. */
    .macro  negate mask, first, others:vararg
    .irp    one, \first, \others
    eor     \one, \mask
    .endr
    sub     \first, \mask
    .irp    one, \others
    sbc     \one, \mask
    .endr
    .endm

/* Propagates the carry through the given registers. */
    .macro  carry_on zero, registers:vararg
    .irp    one, \registers
    adc     \one, \zero
    .endr
    .endm

#endif
