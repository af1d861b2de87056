; AES-128: encryption in the least ROM, and in 128 bytes of RAM. One column of code: HL moves over the state, which continues
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
        push    hl
        mov     b, #6
2:      movw    ax, [hl]
        movw    [hl+16], ax
        incw    hl
        incw    hl
        dec     b
        bnz     $2b
        pop     hl
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
        last_bytes sbox, 4
        pop     hl
        ret

        .include "one_column.inc"
        .include "sbox.inc"
