; Sums of squares by every bank of registers, and what the mirror area shows; prints "rl78" and ends with 0 if right.
; rl78-elf-as -mg13 -o sums.o sums.s
; rl78-elf-ld --defsym=__rl78_abs__=0 -Ttext=0x2000 -e __start -o sums.elf sums.o

    .equ CONSOLE, 0xf0800
    .equ EXIT, 0xf0820

    .text
    .globl  __start
    .type   __start, @function
__start:
    movw    sp, #0xfee0
    movw    de, #0
    mov     b, #10
1:  mov     a, b
    mov     x, a
    call    !square
    addw    ax, de
    movw    de, ax
    dec     b
    bnz     $1b
    sel     rb1
    movw    ax, 0xffefc
    sel     rb0
    movw    ax, 0xffef0
    cmpw    ax, #385
    bnz     $wrong
    movw    hl, #%lo16(text)
2:  mov     a, [hl]
    cmp0    a
    bz      $3f
    mov     x, a
    clrb    a
    movw    !CONSOLE, ax
    clrw    ax
    movw    !CONSOLE + 2, ax
    incw    hl
    br      $2b
3:  set1    cy
    skc
    br      $wrong
    clrw    ax
    br      $finish
wrong:
    onew    ax
finish:
    movw    !EXIT, ax
    clrw    ax
    movw    !EXIT + 2, ax
4:  br      $4b
    .size   __start, . - __start

    .type   square, @function
square:
    mulu    x
    ret
    .size   square, . - square

text:
    .asciz  "rl78"
