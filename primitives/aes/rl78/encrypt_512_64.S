; AES-128: encryption in 512 bytes of ROM and 64 of RAM. One column of code, as in `encrypt_512`. There is no room for a
; second key: round keys replace the key, and are computed backwards afterwards, so that it is as before.

        .include "aes.inc"

        .equ    KEY, 28                 ; 17 bytes; the state and copies of its first 12 bytes are before it
        .equ    HERE, KEY-16            ; the key, while HL is behind the state

        .global aes128_encrypt
aes128_encrypt:
        push    hl
        push    ax
        movw    hl, ax
        mov     b, #16
1:      mov     a, [hl+KEY]
        xor     a, [hl]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $1b
        oneb    a
; A is the round constant, HL behind the state, whose address is on the stack.
round:
        mov     c, a
        push    bc
        call    $!substitute_rows
        mov     b, #12
2:      mov     a, [hl+HERE]
        xor     a, [hl+HERE+4]
        mov     [hl+HERE+4], a
        incw    hl
        dec     b
        bnz     $2b
        pop     bc
        pop     hl
        push    hl
        mov     b, #6
3:      movw    ax, [hl]
        movw    [hl+16], ax
        incw    hl
        incw    hl
        dec     b
        bnz     $3b
        pop     hl
        mov     a, c
        cmp     a, #0x36
        bz      $finish
        push    hl
        push    ax
        mov     a, #4
4:      push    ax
        mix_column sbox, 0, 5, 10, 15
        store_column KEY
        pop     ax
        dec     a
        bnz     $4b
        pop     ax
        double
        br      $!round

finish:
        last_bytes sbox, 4, KEY
        mov     a, #0x36
6:      mov     c, a
        push    ax
        movw    ax, hl
        addw    ax, #12
        movw    hl, ax
        mov     b, #12
7:      decw    hl
        mov     a, [hl+HERE]
        xor     a, [hl+HERE+4]
        mov     [hl+HERE+4], a
        dec     b
        bnz     $7b
        call    $!substitute_rows
        pop     ax
        shr     a, 1
        bnc     $6b
        cmp0    a
        mov     a, #0x80
        bnz     $6b
        pop     hl
        ret

; Adds the rotated and substituted last word of the key, and C, to its first word.
substitute_rows:
        push    hl
        mov     a, [hl+HERE+12]
        mov     [hl+HERE+16], a
        mov     d, #4
8:      mov     a, [hl+HERE+13]
        look_up sbox
        xor     a, c
        clrb    c
        xor     a, [hl+HERE]
        mov     [hl+HERE], a
        incw    hl
        dec     d
        bnz     $8b
        pop     hl
        ret

        .include "sbox.inc"
