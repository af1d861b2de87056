; PRESENT-80: encryption in 512 bytes of ROM and 64 of RAM. One code for both halves of a block, and a loop over the
; words of the key. The key is left as it is.

        .include "present.inc"

        .equ    KEY, 8
        .equ    ROUND_KEY, 22           ; ten bytes, behind copies of its last four
        .equ    NUMBER, 32              ; the round's number

        .global present80_encrypt
present80_encrypt:
        push    hl
        movw    hl, ax
        copy_key
        oneb    a
round:
        mov     [hl+NUMBER], a
        push    hl
        call    $!half
        put_first_half
        .rept   4
        incw    hl
        .endr
        call    $!half
        pop     hl
        put_second_half
; The next round key.
        copy    ROUND_KEY+8, ROUND_KEY-2
        copy    ROUND_KEY+6, ROUND_KEY-4
        push    hl
        mov     b, #5
2:      rotate_right ROUND_KEY+8
        decw    hl
        decw    hl
        dec     b
        bnz     $2b
        pop     hl
        mov     a, [hl+ROUND_KEY]
        substitute_top
        mov     [hl+ROUND_KEY], a
        mov     a, [hl+NUMBER]
        add_number ROUND_KEY+7, ROUND_KEY+8
        mov     a, [hl+NUMBER]
        inc     a
        cmp     a, #32
        bnz     $round
        mov     b, #8
3:      mov     a, [hl]
        xor     a, [hl+ROUND_KEY]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $3b
        pop     hl
        ret

; Four bytes of a round, into C, D, E and A.
half:
        substitute_half
        transpose
        mov     a, x
        ret

        .include "pairs.inc"
