; PRESENT-80: encryption and decryption in 512 bytes of ROM and 64 of RAM: pLayer bit by bit. The key is left as it is.
; MODE: 0 encrypts, 1 decrypts, 2 decrypts with the key after the last round as the key.

        .include "present.inc"

        .equ    KEY, 8
        .equ    ROUND_KEY, 22           ; ten bytes, between copies of its last and first four
        .equ    WORDS, 36
        .equ    NUMBER, 44              ; the round's number
        .equ    MODE, 45

        .global present80
present80:
        push    hl
        movw    hl, ax
        copy_key
        mov     a, [hl+MODE]
        cmp0    a
        oneb    a
        sknz
        br      $!encrypt
        cmp     a, [hl+MODE]
        bnz     $decrypt
8:      mov     [hl+NUMBER], a
        call    $!next
        bnz     $8b

decrypt:
        mov     a, #31
9:      mov     [hl+NUMBER], a
        call    $!add
        copy_words 0, WORDS
        gather
        mov     a, [hl+NUMBER]
        add_number ROUND_KEY+7, ROUND_KEY+8
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
        skz
        br      $!9b
finish:
        call    $!add
        pop     hl
        ret

encrypt:
        mov     [hl+NUMBER], a
        call    $!add
        scatter
        copy_words WORDS, 0
        call    $!next
        skz
        br      $!encrypt
        br      $!finish

add:
        add_key
        ret

; The next round key, and the next round's number in A; Z says that there is none.
next:
        next_key_by_words
        mov     a, [hl+NUMBER]
        inc     a
        cmp     a, #32
        ret

        .include "nibbles.inc"
        .include "inverse_nibbles.inc"
