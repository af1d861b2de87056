/* Quotients and remainders of 8 bits: GCC 12's library negates a divisor of 64 to 127 if the dividend is negative.
 *
 * Names and meanings: "The GCC low-level runtime library", GCC internals manual, chapter 4. The dividend is at 4 bytes from
 * the stack pointer, the divisor at 6, and the result in r8. Callers may use the arguments again. */

#include "functions.h"

#ifdef __RL78_G10__
    .equ    R8, 0xffec8
#else
    .equ    R8, 0xffef0
#endif

    /* The absolute value of A; -128 is 128 then. */
    .macro  magnitude
    bf      a.7, $1f
    xor     a, #0xff
    inc     a
1:
    .endm

    /* Returns X, negated if the highest bit of D is set. */
    .macro  signed_result
    mov     a, d
    mov1    cy, a.7
    mov     a, x
    bnc     $1f
    xor     a, #0xff
    inc     a
1:  mov     R8, a
    ret
    .endm

    /* Divides X by C: the quotient in X, and the remainder in A. Changes B. */
    .section .text.__divide8, "ax", @progbits
    .type   __divide8, @function
__divide8:
    clrb    a
    mov     b, #8
1:  shlw    ax, 1
    bc      $2f
    cmp     a, c
    bc      $3f
2:  sub     a, c
    inc     x
3:  dec     b
    bnz     $1b
    ret
    end     __divide8

function ___udivqi3
    mov     a, [sp + 6]
    mov     c, a
    mov     a, [sp + 4]
    mov     x, a
    call    !!__divide8
    mov     a, x
    mov     R8, a
    ret
end ___udivqi3

function ___umodqi3
    mov     a, [sp + 6]
    mov     c, a
    mov     a, [sp + 4]
    mov     x, a
    call    !!__divide8
    mov     R8, a
    ret
end ___umodqi3

function ___divqi3
    mov     a, [sp + 6]
    mov     d, a
    magnitude
    mov     c, a
    mov     a, [sp + 4]
    mov     x, a
    xor     a, d
    mov     d, a
    mov     a, x
    magnitude
    mov     x, a
    call    !!__divide8
    signed_result
end ___divqi3

function ___modqi3
    mov     a, [sp + 6]
    magnitude
    mov     c, a
    mov     a, [sp + 4]
    mov     d, a
    magnitude
    mov     x, a
    call    !!__divide8
    mov     x, a
    signed_result
end ___modqi3
