; Camellia-128: encryption and decryption in 512 bytes of ROM and 128 of RAM. The S-box is computed. A table has the steps of
; each direction. The key is left as it is. MODE: 0 encrypts, 1 decrypts.

        .include "camellia.inc"

        .equ    UNROLLED, 1
        .equ    EXCHANGE_ALONE, 1
        .equ    MODE, 16
        .equ    KL, 32                  ; multiples of 16, so that the halves' offsets differ by a bit
        .equ    KA, 48
        .equ    KEY, 64

; Steps: rotations of KL and KA to the left, the offset of a word for two rounds, of which the first one has the subkey
; there, or an offset with one of these numbers more.
        .equ    END, 0
        .equ    ONE, 1                  ; one round
        .equ    FL, 128                 ; FL with the subkey there, and its inverse with the other half of the word
        .equ    ADD, 192                ; adds the word; without one, the halves are exchanged
        .equ    EXCHANGE, 192

        .global camellia128
camellia128:
        push    hl
        movw    hl, ax
        push    hl
        mov     b, #16
1:      mov     a, [hl+KEY]
        mov     [hl+KL], a
        mov     [hl+KA], a
        incw    hl
        dec     b
        bnz     $1b
        advance KA-16
        movw    de, #sigma
        call    $!feistel
        call    $!feistel
        push    de
        mov     a, #KEY-KA
        select
        call    $!add_word
        pop     de
        call    $!feistel
        call    $!feistel
        pop     hl
        movw    de, #encryption
        mov     a, [hl+MODE]
        cmp0    a
        skz
        movw    de, #decryption
3:      mov     a, [de]
        incw    de
        push    de
        call    $!do_step
        pop     de
        br      $3b
finish:
        addw    sp, #6                  ; the return address and DE
        pop     hl
        ret

fl_or_add:
        bt      a.6, $add
        and     a, #0x7f
        push    ax
        select
        push    hl
        call    $!fl_and
        call    $!fl_or
        pop     hl
        pop     ax
        xor     a, #8
        push    hl
        select
        advance 8
        call    $!fl_or
        call    $!fl_and
        pop     hl
        ret
add:
        and     a, #0x3f
        bz      $exchange
        select
; Adds 16 bytes at DE to the state.
add_word:
        push    hl
        mov     b, #16
4:      mov     a, [de]
        xor     a, [hl]
        mov     [hl], a
        incw    hl
        incw    de
        dec     b
        bnz     $4b
        pop     hl
        ret

encryption:
        .byte   ADD+KL, KA, 15, KL, KA, 15, FL+KA, 15, KL, KA+ONE, 15
        .byte   KL+8+ONE, KA, 17, FL+KL, 17, KL, KA, 17, KL, EXCHANGE, ADD+KA, END
decryption:
        .byte   111, ADD+KA, KL+8, 111, KA+8, KL+8, 111, FL+KL+8, 111, KA+8, KL+8+ONE, 113
        .byte   KA+ONE, KL+8, 113, FL+KA+8, 113, KA+8, KL+8, 113, KA+8, EXCHANGE, ADD+KL, END

do_step:
        cmp0    a
        bz      $finish
        bt      a.7, $fl_or_add
        cmp     a, #KL
        bc      $rotate
        cmp     a, #111
        bnc     $rotate
        bt      a.0, $one_round
        push    ax
        call    $!round
        pop     ax
        xor     a, #8
        br      $round
one_round:
        dec     a
round:
        select
        .include "compact.inc"
