/* Products of 64 bits in registers, column by column (product scanning).
 *
 * multiply_64 takes r9:r2 and r17:r10, and preserves them; square_64 takes r9:r2 and preserves it. The results go to Z,
 * which advances by 16. */

#ifndef MULTIPLY_64_H
#define MULTIPLY_64_H

#include "frame.h"

/* Adds a product to a byte and the next two. */
    .macro  add_product a, b, low, middle, high, zero
    mul     r\a, r\b
    add     r\low, r0
    adc     r\middle, r1
    adc     r\high, r\zero
    .endm

    .macro  double_on byte
    rol     \byte
    .endm

/* The following macros compute register numbers. */
    .altmacro

/* A column: all products of r2 + i and r10 + j with i + j equal to the column number. The lowest byte of the sum is
 * output, and its register becomes the highest one of the next column. */
    .macro  column number, low, middle, high
    .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
    .if     (\number - \i >= 0) && (\number - \i <= 7)
    add_product %(2 + \i), %(10 + \number - \i), \low, \middle, \high, 21
    .endif
    .endr
    st      Z+, r\low
    clr     r\low
    .endm

/* A column of cross products: all products of r2 + i and r2 + j with i < j and i + j equal to the column number,
 * accumulated in r25:r10. */
    .macro  crossed_column number
    .irp    i, 0, 1, 2, 3, 4, 5, 6
    .if     (\number - \i > \i) && (\number - \i <= 7)
    add_product %(2 + \i), %(2 + \number - \i), %(10 + \number), %(11 + \number), %(12 + \number), 28
    .endif
    .endr
    .endm

/* Adds a square, with the carry saved in r29, since multiplications change it. */
    .macro  add_square a, low, high
    mul     r\a, r\a
    add     r29, r29
    adc     r\low, r0
    adc     r\high, r1
    sbc     r29, r29
    .endm

    .type   multiply_64, @function
multiply_64:
    clear_all r18, r19, r20, r21
    column  0, 18, 19, 20
    column  1, 19, 20, 18
    column  2, 20, 18, 19
    column  3, 18, 19, 20
    column  4, 19, 20, 18
    column  5, 20, 18, 19
    column  6, 18, 19, 20
    column  7, 19, 20, 18
    column  8, 20, 18, 19
    column  9, 18, 19, 20
    column  10, 19, 20, 18
    column  11, 20, 18, 19
    column  12, 18, 19, 20
    column  13, 19, 20, 18
    column  14, 20, 18, 19
    st      Z+, r18
    ret
    end     multiply_64

    .type   square_64, @function
square_64:
    clear_all r10, r11, r28, r29
    movw    r12, r10
    movw    r14, r10
    movw    r16, r10
    movw    r18, r10
    movw    r20, r10
    movw    r22, r10
    movw    r24, r10
    .irp    number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    crossed_column \number
    .endr
    lsl     r11
    each    double_on, r12, r13, r14, r15, r16, r17, r18, r19, r20, r21, r22, r23, r24, r25
    .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
    add_square %(2 + \i), %(10 + 2 * \i), %(11 + 2 * \i)
    .endr
    each    store_z, HIGH, r18, r19, r20, r21, r22, r23, r24, r25
    ret
    end     square_64

    .noaltmacro

#endif
