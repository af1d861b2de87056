/* Products for S2 cores, by the instruction that multiplies bytes: GCC's library takes the multiplier and divider unit there,
 * through which secrets are not followed.
 *
 * Names and meanings: "The GCC low-level runtime library", GCC internals manual, chapter 4. Operands are behind the return
 * address, and the result is in the memory of r8 and up. Cycles do not depend on values. */

#ifdef __RL78_G13__

#include "functions.h"

    .equ    R8, 0xffef0
    .equ    BEHIND, 4

    /* Adds the product of a byte of either operand to C, D and E, highest first. */
    .macro  product size, left, right
    mov     a, [sp + BEHIND + \left]
    mov     x, a
    mov     a, [sp + BEHIND + \size + \right]
    mulu    x
    addw    ax, de
    movw    de, ax
    mov     a, c
    addc    a, #0
    mov     c, a
    .endm

    /* All products of bytes whose numbers sum up to that of a byte of the result, which is then E. */
    .macro  column size, number
    .set    left, 0
    .rept   \number + 1
    .set    right, \number - left
    product \size, left, right
    .set    left, left + 1
    .endr
    mov     a, e
    mov     R8 + \number, a
    mov     a, d
    mov     e, a
    mov     a, c
    mov     d, a
    mov     c, #0
    .endm

    function ___mulsi3
    movw    de, #0
    mov     c, #0
    .irp    number, 0, 1, 2, 3
    column  4, \number
    .endr
    ret
    end     ___mulsi3

    function ___muldi3
    movw    de, #0
    mov     c, #0
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7
    column  8, \number
    .endr
    ret
    end     ___muldi3

#endif
