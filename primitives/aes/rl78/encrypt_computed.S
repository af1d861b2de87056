; AES-128: encryption in the least ROM, and in 64 bytes of RAM. The S-box is computed. The key is left as it is.

        .include "steps.inc"

        .equ    ROUND_KEY, 16
        .equ    KEY, 32

        .global aes128_encrypt
aes128_encrypt:
        push    hl
        movw    hl, ax
        push    hl
        mov     b, #16
1:      mov     a, [hl+KEY]
        mov     [hl+ROUND_KEY], a
        incw    hl
        dec     b
        bnz     $1b
        pop     hl
        movw    bc, #0x0a01             ; rounds to come, and the round constant
2:      push    bc
        call    $!add_key
        mov     c, #16
3:      dec     c
        push    bc
        mov     a, [hl+c]
        call    $!box
        pop     bc
        mov     [hl+c], a
        cmp0    c
        bnz     $3b
        incw    hl
        incw    hl
        incw    hl
        mov     c, #3                   ; ShiftRows
4:      mov     a, c
        mov     b, a
        rotate_row
        decw    hl
        dec     c
        bnz     $4b
        push    hl
        mov     a, [sp+3]               ; the last round has no MixColumns
        dec     a
        bz      $5f
        mix_state
5:      pop     hl
        push    hl
        movw    ax, hl
        addw    ax, #ROUND_KEY
        movw    hl, ax
        change_first_word
        mov     a, [sp+2]
        xor     a, [hl]
        mov     [hl], a
        add_words_on 0
        pop     hl
        pop     bc
        mov     a, c
        double
        mov     c, a
        dec     b
        skz
        br      $!2b
        call    $!add_key
        pop     hl
        ret

add_key:
        add_round_key
        ret

box:
        invert_by_power
        affine
        ret
