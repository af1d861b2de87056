; Camellia-128: encryption and decryption in 2,048 bytes of ROM and 128 of RAM. KL and KA are rotated by a bit at a time;
; whole words are offsets of subkeys. Rounds in pairs need no exchange of the halves. The key is left as it is.
; MODE: 0 encrypts, 1 decrypts, 2 decrypts with KL and KA as 1 left them.

        .include "camellia.inc"

        .equ    KL, 22                  ; 22 bytes
        .equ    KA, 44                  ; 22 bytes; while it is computed, the bytes behind it are those of F
        .equ    KB, 66                  ; KA rotated further, so that KA need not be rotated back
        .equ    K9, 82                  ; the subkeys k9 and k10
        .equ    KEY, 98
        .equ    MODE, 21

; Two rounds with subkeys at offsets.
        .macro  rounds first, second
        movw    ax, #(\first)*256+\second
        call    $!two_rounds
        .endm

; FL of the left half and its inverse of the right one, with subkeys at offsets.
        .macro  fl_layer first, second
        mov     a, #\first
        call    $!fl_left
        mov     a, #\second
        call    $!inverse_fl_right
        .endm

; Exchanges the halves, and adds the 16 bytes from two offsets on.
        .macro  finish first, second
        mov     b, #4
9:      .irp    byte, 0, 1
        mov     a, [hl+8+\byte]
        xor     a, [hl+\first+\byte]
        .if     \byte
        xch     a, [hl+\byte]
        .else
        xch     a, [hl]
        .endif
        xor     a, [hl+\second+\byte]
        mov     [hl+8+\byte], a
        .endr
        incw    hl
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
        bt      a.1, $decrypt_again
        .irp    word, 0, 2, 4, 6, 8, 10, 12, 14
        movw    ax, [hl+KEY+\word]
        movw    [hl+KL+\word], ax
        movw    [hl+KA+\word], ax
        .endr
        push    hl
        advance KA
        movw    de, #sigma
        movw    ax, #sigma+8
        call    $!two_rounds_at
        add_key KEY-KA
        movw    de, #sigma+16
        movw    ax, #sigma+24
        call    $!two_rounds_at
        pop     hl
        mov     a, [hl+MODE]
        cmp0    a
        skz
        br      $!decrypt

        add_key KEY
        rounds  KA, KA+8
        call    $!kl_right
        call    $!ka_right
        rounds  KL+2, KL+10
        rounds  KA+2, KA+10
        call    $!ka_right
        fl_layer KA+4, KA+12
        call    $!kl_right
        call    $!kl_right
        call    $!derive
        rounds  KL+6, KL+14
        rounds  K9, K9+8
        call    $!kb_right
        rounds  KB+8, KB
        fl_layer KL+10, KL+2
        call    $!kl_left
        rounds  KL+12, KL+4
        rounds  KA+12, KA+4
        call    $!kl_left
        call    $!ka_left
        rounds  KL+14, KL+6
        finish  KA+14, KA+6

decrypt:
        call    $!kl_right
decrypt_again:                          ; KL stays rotated, KA does not
        call    $!ka_right
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
        rounds  KL+6, KL+14
        call    $!kl_right
        call    $!ka_right
        rounds  KA+4, KA+12
        rounds  KL+4, KL+12
        call    $!kl_right
        fl_layer KL+2, KL+10
        call    $!derive
        call    $!kb_right
        rounds  KB, KB+8
        rounds  K9+8, K9
        rounds  KL+14, KL+6
        fl_layer KA+12, KA+4
        call    $!kl_left
        call    $!kl_left
        call    $!ka_left
        rounds  KA+10, KA+2
        rounds  KL+10, KL+2
        call    $!ka_left
        rounds  KA+8, KA
        finish  KEY, KEY+8

; Two rounds: the offsets of their subkeys are in A and X. Or the subkeys are at DE and AX.
two_rounds:
        mov     c, a
        clrb    a
        addw    ax, hl
        push    ax
        mov     a, c
        select
        br      $first_round
two_rounds_at:
        push    ax
first_round:
        feistel 0, 8, 0
        pop     ax
        movw    de, ax
        feistel 8, 0, 0
        ret

inverse_fl_right:
        select
        advance 8
        call    $!fl_or
        call    $!fl_and
        advance -8
        ret
fl_left:
        select
        call    $!fl_and
fl_or:
        fl_or
        ret
fl_and:
        fl_and
        ret

kl_right:
        rotate_right KL, KL
        ret
kl_left:
        rotate_left KL
        ret
ka_right:
        rotate_right KA, KA
        ret
ka_left:
        rotate_left KA
        ret
kb_right:
        rotate_right KB, KB, 0
        ret

; KB from KA, and the subkeys k9 and k10 from it and from KL.
derive:
        rotate_right KA, KB, 0
        .irp    byte, 0, 2, 4, 6
        movw    ax, [hl+KB+6+\byte]
        movw    [hl+K9+\byte], ax
        .endr
        mov     a, [hl+KL+15]
        shr     a, 1
        .irp    byte, 0, 1, 2, 3, 4, 5, 6, 7
        mov     a, [hl+KL+\byte]
        rorc    a, 1
        mov     [hl+K9+8+\byte], a
        .endr
        ret

        .include "box.inc"
        .include "sigma.inc"
