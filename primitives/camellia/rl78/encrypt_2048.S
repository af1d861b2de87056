; Camellia-128: encryption in 2,048 bytes of ROM and 64 of RAM. KL takes the key's place, and is the key again after all
; rotations. Subroutines push nothing: there is no room for it.

        .equ    U2, 52
        .include "camellia.inc"

        .equ    KEY, 20
        .equ    KL, KEY
        .equ    KA, 36

; Two rounds with subkeys at offsets.
        .macro  rounds first, second
        mov     a, #\first
        call    $!first_round
        mov     a, #\second
        call    $!second_round
        .endm

; FL of the left half and its inverse of the right one, with the subkeys of a word.
        .macro  fl_layer word
        mov     a, #\word
        select
        fl_and
        fl_or
        mov     a, #\word+8
        select
        advance 8
        fl_or
        fl_and
        advance -8
        .endm

        .global camellia128_encrypt
camellia128_encrypt:
        push    hl
        movw    hl, ax
; KA is computed in place of the state, which waits in its place.
        .irp    word, 0, 2, 4, 6, 8, 10, 12, 14
        get     \word
        xor     a, [hl+KEY+\word]
        mov     [hl+KA+\word], a
        mov     a, [hl+\word+1]
        xor     a, [hl+KEY+\word+1]
        mov     [hl+KA+\word+1], a
        movw    ax, [hl+KEY+\word]
        .if     \word
        movw    [hl+\word], ax
        .else
        movw    [hl], ax
        .endif
        .endr
        movw    de, #sigma
        call    $!first_round_at
        movw    de, #sigma+8
        call    $!second_round_at
        add_key KEY
        movw    de, #sigma+16
        call    $!first_round_at
        movw    de, #sigma+24
        call    $!second_round_at
        .irp    word, 0, 2, 4, 6, 8, 10, 12, 14
        movw    ax, [hl+\word]
        movw    bc, ax
        movw    ax, [hl+KA+\word]
        movw    [hl+\word], ax
        movw    ax, bc
        movw    [hl+KA+\word], ax
        .endr
        rounds  KA, KA+8
        call    $!kl_left_15
        call    $!ka_left_15
        rounds  KL, KL+8
        rounds  KA, KA+8
        call    $!ka_left_15
        fl_layer KA
        call    $!kl_left_15
        call    $!kl_left_15
        call    $!ka_left_15
        rounds  KL, KL+8
        mov     a, #KA
        call    $!first_round
        call    $!kl_left_15
        call    $!ka_left_15
        mov     a, #KL+8
        call    $!second_round
        rounds  KA, KA+8
        call    $!kl_left_17
        fl_layer KL
        call    $!kl_left_17
        rounds  KL, KL+8
        call    $!ka_left
        call    $!ka_left
        rotate_two_words KA
        rounds  KA, KA+8
        call    $!kl_left_17
        rounds  KL, KL+8
        call    $!kl_left_17
        call    $!ka_left
        .irp    byte, 0, 1, 2, 3, 4, 5, 6, 7
        mov     a, [hl+8+\byte]
        xor     a, [hl+KA+2+\byte]
        .if     \byte
        xch     a, [hl+\byte]
        .else
        xch     a, [hl]
        .endif
        xor     a, [hl+KA+((10+\byte)&15)]
        mov     [hl+8+\byte], a
        .endr
        pop     hl
        ret

first_round:
        select
first_round_at:
        feistel 0, 8, 0
        ret
second_round:
        select
second_round_at:
        feistel 8, 0, 0
        ret
kl_left_15:
        rotate_left_15 KL
        ret
ka_left_15:
        rotate_left_15 KA
        ret
kl_left_17:
        rotate_left KL, 0
        rotate_word KL
        ret
ka_left:
        rotate_left KA, 0
        ret

        .include "box.inc"
        .include "sigma.inc"
