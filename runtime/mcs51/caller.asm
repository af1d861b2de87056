; Calls of a table that the host writes into external data, behind `start.asm`.
;
; The table begins behind the program's external data. It has the number of calls in two bytes, and 16 bytes after it
; 64 bytes for each call: the address of its entry below, high byte last; DPL, DPH, B and A; the address of the
; function's static parameters, the number of their bytes, and the bytes; and in the last four bytes the result in DPL,
; DPH, B and A. The first pair of marks has all that the others have, but for the call. The build writes behind this
; text an entry for each function.
;
; Source: SDCC's manual, "Parameter passing".

RESULT  = 60
RECORD  = 64
HEADER  = 16

    .area   DSEG    (DATA)
record: .ds 2
left:   .ds 2

; Moves the address in `record` by a constant.
    .macro  advance bytes
    mov     a, record
    add     a, #bytes
    mov     record, a
    clr     a
    addc    a, record + 1
    mov     record + 1, a
    .endm

; Exchanges DPTR with R3:R2.
    .macro  exchange
    mov     a, dpl
    xch     a, r2
    mov     dpl, a
    mov     a, dph
    xch     a, r3
    mov     dph, a
    .endm

    .macro  next register
    movx    a, @dptr
    inc     dptr
    mov     register, a
    .endm

    .macro  before
    word    MARKS
    mov     dpl, r4
    mov     dph, r5
    mov     b, r6
    mov     a, r7
    .endm

    .macro  after
    mov     r4, dpl
    mov     r5, dph
    mov     r7, a
    word    MARKS
    .endm

    .macro  entry name, function
    .globl  function
name::
    before
    lcall   function
    after
    ljmp    called
    .endm

    .area   CSEG    (CODE)
; What the stack holds could not be told from registers: it begins behind those of all banks.
started:
    mov     a, sp
    clr     c
    subb    a, #0x1f
    jnc     1$
    mov     sp, #0x1f
1$:
    mov     a, #l_XISEG
    add     a, #s_XISEG
    mov     record, a
    mov     a, #(l_XISEG >> 8)
    addc    a, #(s_XISEG >> 8)
    mov     record + 1, a
    mov     dpl, record
    mov     dph, a
    next    left
    next    left+1
    before
    after
    advance HEADER
turn:
    mov     a, left
    orl     a, left + 1
    jnz     1$
    ljmp    ended
1$: clr     c
    mov     a, left
    subb    a, #1
    mov     left, a
    mov     a, left + 1
    subb    a, #0
    mov     left + 1, a
    mov     dpl, record
    mov     dph, record + 1
    movx    a, @dptr
    inc     dptr
    push    acc
    movx    a, @dptr
    inc     dptr
    push    acc
    next    r4
    next    r5
    next    r6
    next    r7
    next    r2
    next    r3
    next    r1
    jz      3$
2$: next    r0
    exchange
    mov     a, r0
    movx    @dptr, a
    inc     dptr
    exchange
    djnz    r1, 2$
; The two bytes on the stack are the entry's address.
3$: ret

called:
    mov     a, record
    add     a, #RESULT
    mov     dpl, a
    clr     a
    addc    a, record + 1
    mov     dph, a
    mov     a, r4
    movx    @dptr, a
    inc     dptr
    mov     a, r5
    movx    @dptr, a
    inc     dptr
    mov     a, b
    movx    @dptr, a
    inc     dptr
    mov     a, r7
    movx    @dptr, a
    advance RECORD
    ljmp    turn

ended:
    clr     a
    word    EXIT_DEVICE
4$: sjmp    4$

