; PRESENT-80: encryption in the least ROM, and in 64 bytes of RAM: pLayer bit by bit. The key is left as it is.

        .include "present.inc"

        .equ    KEY, 8
        .equ    ROUND_KEY, 22           ; ten bytes, behind copies of its last four
        .equ    WORDS, 32
        .equ    NUMBER, 40              ; the round's number

        .global present80_encrypt
present80_encrypt:
        push    hl
        movw    hl, ax
        copy_key
        oneb    a
round:
        mov     [hl+NUMBER], a
        add_key
        mov     a, [hl+NUMBER]
        cmp     a, #32
        bz      $finish
        scatter
        copy_words WORDS, 0
        next_key_by_words
        mov     a, [hl+NUMBER]
        inc     a
        br      $!round
finish:
        pop     hl
        ret

        .include "nibbles.inc"
