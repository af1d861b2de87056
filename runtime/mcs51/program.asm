; A program, behind `start.asm`: calls its entry, and ends with its result, or with 0 if it returns nothing.
;
; The build writes the entry behind this text.

    .macro  program function, result
    .globl  function
    .area   CSEG    (CODE)
started:
    lcall   function
    .if     result
    .else
    mov     dptr, #0
    .endif
    mov     r2, dpl
    mov     r3, dph
; The sign of an int goes to the upper half.
    mov     a, r3
    rlc     a
    subb    a, acc
    mov     r4, a
    mov     dptr, #EXIT_DEVICE
    mov     a, r2
    movx    @dptr, a
    inc     dptr
    mov     a, r3
    movx    @dptr, a
    inc     dptr
    mov     a, r4
    movx    @dptr, a
    inc     dptr
    movx    @dptr, a
1$: sjmp    1$
    .endm
