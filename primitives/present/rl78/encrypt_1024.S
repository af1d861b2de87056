; PRESENT-80: encryption in 1,024 bytes of ROM and 64 of RAM. The key is left as it is.

        .include "present.inc"

        .equ    KEY, 8
        .equ    ROUND_KEY, 18           ; ten bytes, the least significant one first, and copies of the first three
        .equ    NUMBER, 32              ; the round's number

        .global present80_encrypt
present80_encrypt:
        push    hl
        movw    hl, ax
        .irp    byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
        mov     a, [hl+KEY+\byte]
        mov     [hl+ROUND_KEY+9-\byte], a
        .endr
        oneb    a
round:
        mov     [hl+NUMBER], a
        substitute 0, ROUND_KEY+9
        mov     c, a
        substitute 1, ROUND_KEY+8
        mov     d, a
        substitute 2, ROUND_KEY+7
        mov     e, a
        substitute 3, ROUND_KEY+6
        mov     x, a
        transpose
; The bytes 4 and 6 are still needed: what replaces them waits in 1 and 3.
        mov     a, c
        mov     [hl], a
        mov     a, d
        mov     [hl+2], a
        mov     a, e
        mov     [hl+1], a
        mov     a, x
        mov     [hl+3], a
        substitute 4, ROUND_KEY+5
        mov     c, a
        substitute 5, ROUND_KEY+4
        mov     d, a
        substitute 6, ROUND_KEY+3
        mov     e, a
        substitute 7, ROUND_KEY+2
        mov     x, a
        transpose
        mov     a, x
        put_second_half
; The next round key.
        copy    ROUND_KEY, ROUND_KEY+10
        copy    ROUND_KEY+2, ROUND_KEY+12
        .irp    word, 0, 2, 4, 6
        rotate_word ROUND_KEY+\word
        movw    [hl+ROUND_KEY+\word], ax
        .endr
        rotate_word ROUND_KEY+8
        substitute_top
        movw    [hl+ROUND_KEY+8], ax
        mov     a, [hl+NUMBER]
        add_number ROUND_KEY+2, ROUND_KEY+1
        mov     a, [hl+NUMBER]
        inc     a
        cmp     a, #32
        skz
        br      $!round
        .irp    byte, 0, 1, 2, 3, 4, 5, 6, 7
        mov     a, [hl+\byte]
        xor     a, [hl+ROUND_KEY+9-\byte]
        mov     [hl+\byte], a
        .endr
        pop     hl
        ret

        .include "pairs.inc"
