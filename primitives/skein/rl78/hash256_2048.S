; Skein-256-256 in 2 KB of ROM: eight rounds without a loop, each rotation with code of its own. HL is the parameter block. An
; odd word moves between two places, so that a rotation reads what it does not write.

        .equ    BYTES, 32
        .include "skein.inc"

; Behind the key are its first words again: a subkey is five words from some place on.
        .equ    AGAIN, PARITY+8
        .equ    POSITION, AGAIN+BYTES
        .equ    FLAGS, POSITION+7
        .equ    X0, POSITION+8
        .equ    X2, X0+8
        .equ    X1, X0+16
        .equ    X3, X0+24
        .equ    OTHER, 16               ; from an odd word's place to its other one
        .equ    COUNT, X0+48            ; subkeys so far
        .equ    THIRD, COUNT+1          ; the same modulo 3, less 1
        .equ    WRAP, COUNT+2           ; subkeys until the key begins again

        .macro  add_word to, from
        .set    at, 0
        .rept   8
        mov     a, [hl+\from+at]
        .if     at
        addc    a, [hl+\to+at]
        .else
        add     a, [hl+\to]
        .endif
        mov     [hl+\to+at], a
        .set    at, at+1
        .endr
        .endm

; The byte of a rotated word that is in A, plus that of the sum.
        .macro  put at, sum, to
        xor     a, [hl+\sum+((\at)&7)]
        mov     [hl+\to+((\at)&7)], a
        .endm

; Rotates a word by PLACES, and adds the sum: 16 bits shift at once, of which one byte is whole.
        .macro  rotate places, from, sum, to
        .set    whole, \places/8
        .set    bits, \places&7
        .set    at, 0
        .if     bits == 0
        .rept   8
        mov     a, [hl+\from+((at-whole)&7)]
        put     at, \sum, \to
        .set    at, at+1
        .endr
        .elseif bits == 1
        mov     a, [hl+\from+7]
        shl     a, 1
        .rept   4
        movw    ax, [hl+\from+at]
        rolwc   ax, 1
        put     at+1+whole, \sum, \to
        mov     a, x
        put     at+whole, \sum, \to
        .set    at, at+2
        .endr
        .elseif bits == 7
        mov     a, [hl+\from]
        shr     a, 1
        .set    at, 7
        .rept   8
        mov     a, [hl+\from+at]
        rorc    a, 1
        put     at+1+whole, \sum, \to
        .set    at, at-1
        .endr
        .else
        .rept   4
        movw    ax, [hl+\from+at]
        shlw    ax, bits
        put     at+1+whole, \sum, \to
        mov     a, [hl+\from+((at-1)&7)]
        mov     x, a
        mov     a, [hl+\from+at]
        shlw    ax, bits
        put     at+whole, \sum, \to
        .set    at, at+2
        .endr
        .endif
        .endm

        .macro  even_sums
        add_word X0, X1
        add_word X2, X3
        .endm

; Two rounds, by the rotations of X1 and X3; `inline` saves a call.
        .macro  two_rounds first, third, first_back, third_back, inline=0
        .if     \inline
        even_sums
        .else
        call    $!even_sums_called
        .endif
        rotate  \first, X1, X0, X1+OTHER
        rotate  \third, X3, X2, X3+OTHER
        call    $!odd_sums_called
        rotate  \first_back, X1+OTHER, X2, X1
        rotate  \third_back, X3+OTHER, X0, X3
        .endm

        .global skein
skein:
        push    hl
        movw    hl, ax
; The parity, from its least significant byte on, and the words of key and message for this block.
compress:
        movw    ax, hl
        addw    ax, #VALUE
        movw    de, ax
        push    hl
        mov     b, #8
1:      mov     a, parity-1[b]
        xor     a, [hl+VALUE]
        xor     a, [hl+VALUE+8]
        xor     a, [hl+VALUE+16]
        xor     a, [hl+VALUE+24]
        mov     [hl+PARITY], a
        incw    hl
        dec     b
        bnz     $1b
        pop     hl
        push    hl
        mov     b, #4
2:      movw    ax, [hl+VALUE]
        movw    [hl+AGAIN], ax
        movw    ax, [hl+VALUE+8]
        movw    [hl+AGAIN+8], ax
        movw    ax, [hl+VALUE+16]
        movw    [hl+AGAIN+16], ax
        movw    ax, [hl+VALUE+24]
        movw    [hl+AGAIN+24], ax
        movw    ax, [hl]
        movw    [hl+X0], ax
        movw    ax, [hl+8]
        movw    [hl+X1], ax
        movw    ax, [hl+16]
        movw    [hl+X2], ax
        movw    ax, [hl+24]
        movw    [hl+X3], ax
        incw    hl
        incw    hl
        dec     b
        bnz     $2b
        pop     hl
        movw    ax, #0xff00
        movw    [hl+COUNT], ax
        mov     [hl+WRAP], #5
eight_rounds:
        call    $!subkey
        two_rounds 14, 16, 57, 52, 1
        two_rounds 23, 40, 37, 5, 1
        call    $!subkey
        two_rounds 25, 33, 12, 46
        two_rounds 58, 22, 32, 32
        mov     a, [hl+COUNT]
        cmp     a, #18
        skz
        br      $!eight_rounds
        call    $!subkey
; The chaining value is the sum of state and message.
        push    hl
        mov     b, #8
3:      mov     a, [hl]
        xor     a, [hl+X0]
        mov     [hl+VALUE], a
        mov     a, [hl+8]
        xor     a, [hl+X1]
        mov     [hl+VALUE+8], a
        mov     a, [hl+16]
        xor     a, [hl+X2]
        mov     [hl+VALUE+16], a
        mov     a, [hl+24]
        xor     a, [hl+X3]
        mov     [hl+VALUE+24], a
        incw    hl
        dec     b
        bnz     $3b
        pop     hl
; After the last block of a message follows the output block: zeros at the position 8.
        mov     a, [hl+FLAGS]
        bf      a.7, $5f
        bt      a.0, $5f
        push    hl
        clrw    ax
        mov     b, #BYTES/2
4:      movw    [hl], ax
        incw    hl
        incw    hl
        dec     b
        bnz     $4b
        pop     hl
        movw    [hl+POSITION+2], ax
        movw    [hl+POSITION+4], ax
        mov     x, #8
        movw    [hl+POSITION], ax
        movw    ax, #OUTPUT<<8
        movw    [hl+POSITION+6], ax
        br      $!compress
5:      pop     hl
        ret

; Adds seven bytes of the position to a word, and X to the last one.
        .macro  add_position to
        .set    at, 0
        .rept   7
        mov     a, [hl+POSITION+at]
        .if     at
        addc    a, [hl+\to+at]
        .else
        add     a, [hl+\to]
        .endif
        mov     [hl+\to+at], a
        .set    at, at+1
        .endr
        mov     a, x
        addc    a, [hl+\to+7]
        mov     [hl+\to+7], a
        .endm

        .macro  add_key to, from
        .set    at, 0
        .rept   8
        .if     \from+at
        mov     a, [de+\from+at]
        .else
        mov     a, [de]
        .endif
        .if     at
        addc    a, [hl+\to+at]
        .else
        add     a, [hl+\to]
        .endif
        mov     [hl+\to+at], a
        .set    at, at+1
        .endr
        .endm

; A subkey from DE on. The tweak's words are the position, the flags as its last byte, and both.
subkey:
        add_key X0, 0
        add_key X1, 8
        add_key X2, 16
        add_key X3, 24
        mov     a, [hl+FLAGS]
        mov     x, a
        mov     a, [hl+THIRD]
        inc     a
        bz      $7f
        dec     a
        bz      $8f
        mov     [hl+THIRD], #0xff
        add_position X1
        mov     x, #0
        br      $9f
7:      mov     [hl+THIRD], a
        mov     a, x
        add     a, [hl+X2+7]
        mov     [hl+X2+7], a
        mov     x, #0
        add_position X1
        br      $!count
8:      mov     a, x
        add     a, [hl+X1+7]
        mov     [hl+X1+7], a
        inc     [hl+THIRD]
9:      add_position X2
count:
        mov     a, [hl+COUNT]
        add     a, [hl+X3]
        mov     [hl+X3], a
        .set    at, 1
        .rept   7
        mov     a, [hl+X3+at]
        addc    a, #0
        mov     [hl+X3+at], a
        .set    at, at+1
        .endr
        inc     [hl+COUNT]
        movw    ax, de
        addw    ax, #8
        dec     [hl+WRAP]
        bnz     $1f
        mov     [hl+WRAP], #5
        subw    ax, #40
1:      movw    de, ax
        ret

even_sums_called:
        even_sums
        ret
odd_sums_called:
        add_word X0, X3+OTHER
        add_word X2, X1+OTHER
        ret

parity:
        .byte   0x1b, 0xd1, 0x1b, 0xda, 0xa9, 0xfc, 0x1a, 0x22
