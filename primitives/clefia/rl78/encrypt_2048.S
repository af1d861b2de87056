; CLEFIA-128: encryption in 2,048 bytes of ROM and 64 of RAM. L is computed by code of its own, in its place. Two rounds have
; code of their own, and the key is added to L for every other pair of rounds. The key is left as it is.

        .include "clefia.inc"

        .equ    KEY, 16
        .equ    EXPANDED, 32            ; L, 16 bytes
        .equ    AT, 48                  ; the number, and its inverse rotated

        .global clefia128_encrypt
clefia128_encrypt:
        push    hl
        movw    hl, ax
        .irp    word, 0, 2, 4, 6, 8, 10, 12, 14
        copy    KEY+\word, EXPANDED+\word
        .endr
        .irp    byte, 0, 1, 2, 3
        mov     a, [hl+KEY+\byte]
        xor     a, [hl+4+\byte]
        mov     [hl+4+\byte], a
        mov     a, [hl+KEY+4+\byte]
        xor     a, [hl+12+\byte]
        mov     [hl+12+\byte], a
        .endr
        advance EXPANDED
        movw    ax, #BEFORE_FIRST
        movw    [hl+AT-EXPANDED], ax
        mov     b, #12
1:      push    bc
        movw    ax, [hl+AT-EXPANDED]
        next_number AT-EXPANDED
        invert_number AT-EXPANDED
        movw    ax, [hl]
        push    ax
        movw    ax, [hl+2]
        push    ax
        substitute_first 0, AT-EXPANDED
        matrix0
        add_word 4, 0
        copy    8, 4
        copy    10, 6
        substitute_second 8, AT-EXPANDED
        matrix1
        add_word 12, 8
        pop     ax
        movw    [hl+14], ax
        pop     ax
        movw    [hl+12], ax
        pop     bc
        dec     b
        skz
        br      $!1b
; The last round does not rotate the words.
        movw    ax, [hl+12]
        movw    bc, ax
        movw    ax, [hl+14]
        movw    de, ax
        .irp    word, 10, 8, 6, 4, 2
        copy    \word, \word+4
        .endr
        movw    ax, [hl]
        movw    [hl+4], ax
        movw    ax, de
        movw    [hl+2], ax
        movw    ax, bc
        movw    [hl], ax
        advance -EXPANDED
        mov     b, #4
2:      push    bc
        call    $!first_round
        call    $!second_round
        call    $!double_swap
        call    $!add_key
        call    $!first_round
        call    $!second_round
        call    $!add_key
        call    $!double_swap
        pop     bc
        dec     b
        bnz     $2b
        call    $!first_round
        call    $!second_round
        mov     b, #4
3:      mov     a, [hl]
        xor     a, [hl+KEY+8]
        xch     a, [hl+4]
        xch     a, [hl+8]
        xor     a, [hl+KEY+12]
        xch     a, [hl+12]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $3b
        pop     hl
        ret

; The rounds of a pair; after the second one, the words are rotated by two.
first_round:
        movw    ax, [hl+AT]
        next_number AT
        invert_number AT
        substitute_first 0, AT, EXPANDED
        matrix0
        add_word 4, 4
        substitute_second 8, AT, EXPANDED+4
        matrix1
        add_word 12, 12
        ret
second_round:
        movw    ax, [hl+AT]
        next_number AT
        invert_number AT
        substitute_first 4, AT, EXPANDED+8
        matrix0
        add_word 8, 8
        substitute_second 12, AT, EXPANDED+12
        matrix1
        add_word 0, 0
        .irp    word, 0, 2, 4, 6
        movw    ax, [hl+\word]
        movw    bc, ax
        movw    ax, [hl+8+\word]
        .if     \word
        movw    [hl+\word], ax
        .else
        movw    [hl], ax
        .endif
        movw    ax, bc
        movw    [hl+8+\word], ax
        .endr
        ret

double_swap:
        double_swap_halves EXPANDED, EXPANDED+8
        ret
add_key:
        .irp    byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        mov     a, [hl+KEY+\byte]
        xor     a, [hl+EXPANDED+\byte]
        mov     [hl+EXPANDED+\byte], a
        .endr
        ret

        .include "box0.inc"
        .include "box1.inc"
