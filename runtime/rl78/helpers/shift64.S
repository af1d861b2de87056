/* Shifts of 64 bits for S2 cores, by words, by a byte, and then by single bits.
 *
 * Names and meanings: "The GCC low-level runtime library", GCC internals manual, chapter 4. The operand is behind the return
 * address, its number of places behind that, and the result in the memory of r8 to r15. Cycles depend on the places alone. */

#ifdef __RL78_G13__

#include "functions.h"

    .equ    R8, 0xffef0
    .equ    BEHIND, 4
    .equ    PLACES, BEHIND + 8

    /* The operand to r8 to r15, and the places, below 64, to A. */
    .macro  operands
    .irp    number, 0, 2, 4, 6
    movw    ax, [sp + BEHIND + \number]
    movw    R8 + \number, ax
    .endr
    mov     a, [sp + PLACES]
    and     a, #63
    .endm

    /* Moves a word or a byte from one place of the result to another. */
    .macro  word to, from
    movw    ax, R8 + \from
    movw    R8 + \to, ax
    .endm

    .macro  byte to, from
    mov     a, R8 + \from
    mov     R8 + \to, a
    .endm

    function ___ashldi3
    operands
1:  mov     b, a
    cmp     a, #16
    bc      $2f
    word    6, 4
    word    4, 2
    word    2, 0
    clrw    ax
    movw    R8, ax
    mov     a, b
    sub     a, #16
    br      $1b
2:  cmp     a, #8
    bc      $3f
    sub     a, #8
    mov     b, a
    .irp    to, 7, 6, 5, 4, 3, 2, 1
    byte    \to, \to - 1
    .endr
    clrb    a
    mov     R8, a
3:  cmp0    b
    bz      $5f
4:  movw    ax, R8
    shlw    ax, 1
    movw    R8, ax
    .irp    number, 2, 4, 6
    movw    ax, R8 + \number
    rolwc   ax, 1
    movw    R8 + \number, ax
    .endr
    dec     b
    bnz     $4b
5:  ret
    end     ___ashldi3

    /* To the right; DE has what enters at the top, and \shift is how the highest byte is shifted by one. */
    .macro  right shift
1:  mov     b, a
    cmp     a, #16
    bc      $2f
    word    0, 2
    word    2, 4
    word    4, 6
    movw    ax, de
    movw    R8 + 6, ax
    mov     a, b
    sub     a, #16
    br      $1b
2:  cmp     a, #8
    bc      $3f
    sub     a, #8
    mov     b, a
    .irp    to, 0, 1, 2, 3, 4, 5, 6
    byte    \to, \to + 1
    .endr
    mov     a, e
    mov     R8 + 7, a
3:  cmp0    b
    bz      $5f
4:  mov     a, R8 + 7
    \shift  a, 1
    mov     R8 + 7, a
    .irp    number, 6, 5, 4, 3, 2, 1, 0
    mov     a, R8 + \number
    rorc    a, 1
    mov     R8 + \number, a
    .endr
    dec     b
    bnz     $4b
5:  ret
    .endm

    function ___lshrdi3
    operands
    movw    de, #0
    right   shr
    end     ___lshrdi3

    function ___ashrdi3
    operands
    mov     x, a
    mov     a, R8 + 7
    shl     a, 1
    clrb    a
    subc    a, #0
    mov     d, a
    mov     e, a
    mov     a, x
    right   sar
    end     ___ashrdi3

#endif
