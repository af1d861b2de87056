; AES-128: encryption in 1,024 bytes of ROM and 64 of RAM. The state stays in its place: six bytes of it are kept apart
; before a round overwrites them. The key is left as it is.

        .include "aes.inc"

        .equ    KEY, 16
        .equ    ROUND_KEY, 32
        .equ    APART, 48               ; copies of the bytes 2, 3, 6, 7, 11 and 1

        .global aes128_encrypt
aes128_encrypt:
        push    hl
        movw    hl, ax
        movw    de, ax
        mov     b, #4
1:      .irp    word, 0, 2
        add_first_key KEY, ROUND_KEY, \word
        .endr
        .rept   4
        incw    hl
        .endr
        dec     b
        bnz     $1b
        movw    ax, de
        movw    hl, ax
        oneb    a
round:
        next_key ROUND_KEY
        mov     a, d
        cmp     a, #0x36
        sknz
        br      $!finish
        push    ax
        copy    2, APART
        copy    6, APART+2
        copy    0, APART+4              ; the byte 1 at APART+5
        mov     a, [hl+11]
        mov     [hl+APART+4], a
        mix_column sbox, 0, 5, 10, 15
        store_with_key ROUND_KEY, 0
        mix_column sbox, 4, 9, 14, APART+1
        store_with_key ROUND_KEY+4, 4
        mix_column sbox, 8, 13, APART, APART+3
        store_with_key ROUND_KEY+8, 8
        mix_column sbox, 12, APART+5, APART+2, APART+4
        store_with_key ROUND_KEY+12, 12
        pop     ax
        double
        br      $!round
finish:
        last_round sbox, ROUND_KEY, 4, 12
        pop     hl
        ret

        .include "sbox.inc"
