; PRESENT-80: encryption and decryption in 2,048 bytes of ROM and 64 of RAM. The key is left as it is.
; MODE: 0 encrypts, 1 decrypts, 2 decrypts with the key after the last round as the key.

        .include "present.inc"

        .equ    KEY, 8
        .equ    ROUND_KEY, 22           ; ten bytes, between copies of its last and first four
        .equ    NUMBER, 36              ; the round's number
        .equ    MODE, 37

; The next round key, and the next round's number in A; Z says that there is none.
        .macro  next_key
        copy    ROUND_KEY+8, ROUND_KEY-2
        copy    ROUND_KEY+6, ROUND_KEY-4
        .irp    word, 8, 6, 4, 2, 0
        rotate_right ROUND_KEY+\word
        .endr
        mov     a, [hl+ROUND_KEY]
        substitute_top
        mov     [hl+ROUND_KEY], a
        mov     a, [hl+NUMBER]
        add_number ROUND_KEY+7, ROUND_KEY+8
        mov     a, [hl+NUMBER]
        inc     a
        cmp     a, #32
        .endm

; Four bytes of a round, into C, D, E and A.
        .macro  half at
        substitute_half \at
        transpose
        mov     a, x
        .endm

; Four bytes of a round of decryption, from C, D, E and X.
        .macro  half_back at
        transpose
        substitute_back x, \at+3
        substitute_back c, \at
        substitute_back d, \at+1
        substitute_back e, \at+2
        .endm

; Loads C, D, E and X from four offsets, plus the round key.
        .macro  load_added one, two, three, four, key=ROUND_KEY
        mov     a, [hl+\one]
        xor     a, [hl+\key]
        mov     c, a
        mov     a, [hl+\two]
        xor     a, [hl+\key+2]
        mov     d, a
        mov     a, [hl+\three]
        xor     a, [hl+\key+4]
        mov     e, a
        mov     a, [hl+\four]
        xor     a, [hl+\key+6]
        mov     x, a
        .endm

        .global present80
present80:
        push    hl
        movw    hl, ax
        copy_key
        mov     a, [hl+MODE]
        cmp0    a
        sknz
        br      $!encrypt
        dec     a
        bnz     $decrypt
        oneb    a
4:      mov     [hl+NUMBER], a
        next_key
        skz
        br      $!4b

decrypt:
        mov     a, #31
5:      mov     [hl+NUMBER], a
        load_added 0, 2, 4, 6
        move    1, 4
        move    3, 6
        half_back 0
        load_added 4, 6, 5, 7, ROUND_KEY+1
        half_back 4
        mov     a, [hl+NUMBER]
        add_number ROUND_KEY+7, ROUND_KEY+8
        mov     a, [hl+ROUND_KEY]
        substitute_top inverse_nibbles
        mov     [hl+ROUND_KEY], a
        copy    ROUND_KEY, ROUND_KEY+10
        copy    ROUND_KEY+2, ROUND_KEY+12
        .irp    word, 0, 2, 4, 6, 8
        rotate_left ROUND_KEY+\word
        .endr
        mov     a, [hl+NUMBER]
        dec     a
        skz
        br      $!5b
finish:
        .irp    byte, 0, 1, 2, 3, 4, 5, 6, 7
        mov     a, [hl+\byte]
        xor     a, [hl+ROUND_KEY+\byte]
        mov     [hl+\byte], a
        .endr
        pop     hl
        ret

encrypt:
        oneb    a
round:
        mov     [hl+NUMBER], a
        half    0
        put_first_half
        half    4
        put_second_half
        next_key
        skz
        br      $!round
        br      $!finish

        .include "pairs.inc"
        .include "inverse.inc"
