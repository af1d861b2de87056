; Camellia-128: encryption in 1,024 bytes of ROM and 128 of RAM. KL and KA are rotated together by a bit; whole words are
; offsets of subkeys. A round exchanges the halves. The key is left as it is.

        .include "camellia.inc"

        .equ    KL, 32                  ; 22 bytes; a multiple of 16, so that the halves' offsets differ by a bit
        .equ    KA, 64                  ; 22 bytes; while it is computed, the bytes behind it are those of F
        .equ    KEY, 86

; Two rounds with the subkeys of a word, of which the first one is at an offset.
        .macro  rounds offset
        mov     a, #\offset
        call    $!two_rounds
        .endm

        .global camellia128_encrypt
camellia128_encrypt:
        push    hl
        movw    hl, ax
        push    hl
        mov     b, #8
1:      movw    ax, [hl+KEY]
        movw    [hl+KL], ax
        movw    [hl+KA], ax
        xor     a, [hl+1]
        mov     [hl+1], a
        mov     a, x
        xor     a, [hl]
        mov     [hl], a
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
        mov     b, #8
2:      .irp    byte, 0, 1
        mov     a, [hl+KEY-KA+\byte]
        add_byte \byte
        put     \byte
        .endr
        incw    hl
        incw    hl
        dec     b
        bnz     $2b
        pop     hl
        movw    de, #sigma+16
        call    $!feistel
        movw    de, #sigma+24
        call    $!feistel
        pop     hl
        rounds  KA
        call    $!rotate_right
        rounds  KL+2
        rounds  KA+2
        call    $!rotate_right
        mov     a, #KA+12
        call    $!fl
        call    $!rotate_right
        rounds  KL+6
        mov     a, #KA+6
        call    $!round
        call    $!rotate_right
        mov     a, #KL
        call    $!round
        rounds  KA+8
        call    $!rotate_left
        mov     a, #KL+2
        call    $!fl
        call    $!rotate_left
        rounds  KL+12
        rounds  KA+12
        call    $!rotate_left
        rounds  KL+14
        mov     b, #8
3:      mov     a, [hl+8]
        xor     a, [hl+KA+14]
        xch     a, [hl]
        xor     a, [hl+KA+6]
        mov     [hl+8], a
        incw    hl
        dec     b
        bnz     $3b
        pop     hl
        ret

two_rounds:
        push    ax
        call    $!round
        pop     ax
        xor     a, #8
round:
        select
feistel:
        feistel 0, 8, 1
        ret

fl:
        fl_of_halves

        rotations
rotate_one_left:
        rotate_left KL
        advance KA-KL
        ret

        .include "box.inc"
        .include "sigma.inc"
