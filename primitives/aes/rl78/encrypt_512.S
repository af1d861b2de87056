; AES-128: encryption in 512 bytes of ROM and 128 of RAM. One column of code: HL moves over the state, which continues
; behind its end with copies of its first bytes. The key is left as it is.

        .include "aes.inc"

        .equ    ROUND_KEY, 28           ; 17 bytes; the state and copies of its first 12 bytes are before it
        .equ    KEY, 46

        .global aes128_encrypt
aes128_encrypt:
        push    hl
        push    ax
        movw    hl, ax
        mov     b, #16
1:      mov     a, [hl+KEY]
        mov     [hl+ROUND_KEY], a
        xor     a, [hl]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $1b
        oneb    a
; A is the round constant, and the state's address is on the stack.
round:
        pop     hl
        push    hl
        mov     c, a
        push    bc
        mov     a, [hl+ROUND_KEY+12]
        mov     [hl+ROUND_KEY+16], a
        call    $!key_rows
        pop     bc
        pop     hl
        copy    0, 16
        copy    2, 18
        copy    6, 22
        copy    10, 26
        mov     a, c
        cmp     a, #0x36
        bz      $finish
        push    hl
        push    ax
        call    $!columns
        pop     ax
        double
        br      $round

finish:
        mov     d, #4
2:      .irp    row, 0, 1, 2, 3
        last    sbox, 4*\row, ROUND_KEY, 0
        incw    hl
        .endr
        dec     d
        bnz     $2b
        pop     hl
        ret

        .include "one_column.inc"
        .include "sbox.inc"
