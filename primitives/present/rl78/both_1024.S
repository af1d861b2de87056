; PRESENT-80: encryption and decryption in 1,024 bytes of ROM and 64 of RAM. One code for both halves of a block. The
; key is left as it is.
; MODE: 0 encrypts, 1 decrypts, 2 decrypts with the key after the last round as the key.

        .include "present.inc"

        .equ    KEY, 8
        .equ    ROUND_KEY, 22           ; ten bytes, between copies of its last and first four
        .equ    NUMBER, 36              ; the round's number
        .equ    MODE, 37

        .global present80
present80:
        push    hl
        movw    hl, ax
        copy_key
        mov     a, [hl+MODE]
        cmp0    a
        bz      $encrypt
        dec     a
        bnz     $decrypt
        oneb    a
4:      mov     [hl+NUMBER], a
        call    $!next_key
        bnz     $4b

decrypt:
        mov     a, #31
5:      mov     [hl+NUMBER], a
        call    $!add
        load    0, 2, 4, 6
        move    1, 4
        move    3, 6
        call    $!half_back
        load    4, 6, 5, 7
        push    hl
        .rept   4
        incw    hl
        .endr
        call    $!half_back
        pop     hl
        call    $!number_to_key
        mov     a, [hl+ROUND_KEY]
        substitute_top inverse_nibbles
        mov     [hl+ROUND_KEY], a
        copy    ROUND_KEY, ROUND_KEY+10
        copy    ROUND_KEY+2, ROUND_KEY+12
        push    hl
        mov     b, #5
6:      rotate_left ROUND_KEY
        incw    hl
        incw    hl
        dec     b
        bnz     $6b
        pop     hl
        mov     a, [hl+NUMBER]
        dec     a
        bnz     $5b
finish:
        call    $!add
        pop     hl
        ret

encrypt:
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
        call    $!next_key
        bnz     $round
        br      $finish

add:
        add_key
        ret

; The next round key, and the next round's number in A; Z says that there is none.
next_key:
        copy    ROUND_KEY+8, ROUND_KEY-2
        copy    ROUND_KEY+6, ROUND_KEY-4
        .irp    word, 8, 6, 4, 2, 0
        rotate_right ROUND_KEY+\word
        .endr
        mov     a, [hl+ROUND_KEY]
        substitute_top
        mov     [hl+ROUND_KEY], a
        call    $!number_to_key
        mov     a, [hl+NUMBER]
        inc     a
        cmp     a, #32
        ret

number_to_key:
        mov     a, [hl+NUMBER]
        add_number ROUND_KEY+7, ROUND_KEY+8
        ret

; Four bytes of a round, into C, D, E and A.
half:
        substitute_half
transposed:
        transpose
        mov     a, x
        ret

; Four bytes of a round of decryption, from C, D, E and X.
half_back:
        call    $!transposed
        substitute_back x, 3
        substitute_back c, 0
        substitute_back d, 1
        substitute_back e, 2
        ret

        .include "pairs.inc"
        .include "inverse.inc"
