; Camellia-128: encryption and decryption in 1,024 bytes of ROM and 128 of RAM. A table has the steps of each direction:
; rounds with subkeys at offsets, and rotations of KL and KA by a bit. A round exchanges the halves. The key is left as it
; is. MODE: 0 encrypts, 1 decrypts, 2 decrypts with KL and KA as 1 left them.

        .include "camellia.inc"

        .equ    KL, 32                  ; 22 bytes; a multiple of 16, so that the halves' offsets differ by a bit
        .equ    KA, 64                  ; 22 bytes; while it is computed, the bytes behind it are those of F
        .equ    MODE, 54
        .equ    KEY, 86

; Steps: an offset is that of the first of two subkeys of a word, or has one of these bits more.
        .equ    RIGHT, 0
        .equ    LEFT, 2
        .equ    END, 4
        .equ    ONE, 1                  ; one round
        .equ    FL, 128                 ; FL and its inverse; the offset is that of the inverse's subkey

; Exchanges the halves, and adds the eight bytes from each of two offsets on.
        .macro  finish first, second
        mov     b, #8
9:      mov     a, [hl+8]
        xor     a, [hl+\first]
        xch     a, [hl]
        xor     a, [hl+\second]
        mov     [hl+8], a
        incw    hl
        dec     b
        bnz     $9b
        pop     hl
        ret
        .endm

        .global camellia128
camellia128:
        push    hl
        movw    hl, ax
        mov     a, [hl+MODE]
        bt      a.1, $decrypt
        push    hl
        mov     b, #8
1:      movw    ax, [hl+KEY]
        movw    [hl+KL], ax
        movw    [hl+KA], ax
        incw    hl
        incw    hl
        dec     b
        bnz     $1b
        advance KA-16
        movw    de, #sigma
        call    $!feistel
        movw    de, #sigma+8
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
        movw    de, #sigma+16
        call    $!feistel
        movw    de, #sigma+24
        call    $!feistel
        pop     hl
        mov     a, [hl+MODE]
        cmp0    a
        bnz     $decrypt

        push    hl
        mov     b, #16
3:      mov     a, [hl+KEY]
        xor     a, [hl]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $3b
        pop     hl
        movw    de, #encryption
        call    $!steps
        finish  KA+14, KA+6

decrypt:
        call    $!rotate_right
        push    hl
        mov     b, #8
4:      mov     a, [hl+KA+14]
        xor     a, [hl]
        mov     [hl], a
        mov     a, [hl+KA+6]
        xor     a, [hl+8]
        mov     [hl+8], a
        incw    hl
        dec     b
        bnz     $4b
        pop     hl
        movw    de, #decryption
        call    $!steps
        finish  KEY, KEY+8

; The steps from DE on.
steps:
        mov     a, [de]
        cmp     a, #END
        sknz
        ret
        incw    de
        push    de
        call    $!do_step
        pop     de
        br      $steps

do_step:
        bt      a.7, $fl
        bt      a.0, $one_round
        cmp0    a
        bz      $rotate_right
        cmp     a, #LEFT
        bz      $rotate_left
        push    ax
        call    $!round
        pop     ax
        xor     a, #8
        br      $round
one_round:
        dec     a
round:
        select
feistel:
        feistel 0, 8, 1
        ret

        rotations
rotate_one_left:
        mov     a, [hl+KL]
        shl     a, 1
        mov     b, #4
6:      .irp    byte, 15, 14, 13, 12
        mov     a, [hl+KL+\byte]
        rolc    a, 1
        mov     [hl+KL+\byte], a
        .endr
        decw    hl
        decw    hl
        decw    hl
        decw    hl
        dec     b
        bnz     $6b
        .irp    byte, 0, 2, 4
        movw    ax, [hl+KL+16+\byte]
        movw    [hl+KL+32+\byte], ax
        .endr
        advance 48
        ret

fl:
        and     a, #0x7f
        fl_of_halves

encryption:
        .byte   KA, RIGHT, KL+2, KA+2, RIGHT, KA+12+FL, RIGHT, KL+6, KA+6+ONE, RIGHT
        .byte   KL+ONE, KA+8, LEFT, KL+2+FL, LEFT, KL+12, KA+12, LEFT, KL+14, END
decryption:
        .byte   KL+6, RIGHT, KA+4, KL+4, RIGHT, KL+10+FL, RIGHT, KA, KL+ONE, LEFT
        .byte   KA+6+ONE, KL+14, LEFT, KA+4+FL, LEFT, KA+10, KL+10, LEFT, KA+8, END

        .include "box.inc"
        .include "sigma.inc"
