; Camellia-128: encryption in the least ROM, and in 128 bytes of RAM. The S-box is computed. A table has the steps. The key is
; left as it is.

        .include "camellia.inc"

        .equ    UNROLLED, 1
        .equ    KL, 18
        .equ    KA, 34
        .equ    KEY, 50

; Steps: rotations of KL and KA by 15 or 17 bits, or the offset of a word for two rounds, with one of these bits more.
        .equ    END, 0
        .equ    ONE, 1                  ; one round with the half at the offset
        .equ    FL, 128                 ; FL and its inverse

        .global camellia128_encrypt
camellia128_encrypt:
        push    hl
        movw    hl, ax
        push    hl
        mov     b, #16
1:      mov     a, [hl+KEY]
        mov     [hl+KL], a
        mov     [hl+KA], a
        xor     a, [hl]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $1b
        advance KA-16
        movw    de, #sigma
        call    $!feistel
        call    $!feistel
        push    hl
        mov     b, #16
2:      mov     a, [hl+KEY-KA]
        xor     a, [hl]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $2b
        pop     hl
        call    $!feistel
        call    $!feistel
        pop     hl
        movw    de, #steps
3:      mov     a, [de]
        incw    de
        cmp0    a
        bz      $4f
        push    de
        call    $!do_step
        pop     de
        br      $3b
4:      mov     b, #8
5:      mov     a, [hl+8]
        xor     a, [hl+KA]
        xch     a, [hl]
        xor     a, [hl+KA+8]
        mov     [hl+8], a
        incw    hl
        dec     b
        bnz     $5b
        pop     hl
        ret

fl_layer:
        and     a, #0x7f
        select
        push    hl
        call    $!fl_and
        call    $!fl_or
        advance 8
        movw    ax, de
        addw    ax, #8
        movw    de, ax
        call    $!fl_or
        call    $!fl_and
        pop     hl
        ret
steps:
        .byte   KA, 15, KL, KA, 15, KA+FL, 15, KL, KA+ONE, 15, KL+8+ONE, KA, 17, KL+FL, 17, KL, KA, 17, KL, END

do_step:
        bt      a.7, $fl_layer
        cmp     a, #KL
        bc      $rotate
        bt      a.0, $one_round
        push    ax
        call    $!round
        pop     ax
        add     a, #8
        br      $round
one_round:
        dec     a
round:
        select
        .include "compact.inc"
