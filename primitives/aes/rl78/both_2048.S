; AES-128: encryption and decryption in 2,048 bytes of ROM and 64 of RAM. The state stays in its place: six bytes of it
; are kept on the stack before a round overwrites them. The key is left as it is.
; MODE: 0 encrypts, 1 decrypts, 2 decrypts with the last round key as the key.

        .include "aes.inc"

        .equ    KEY, 16
        .equ    ROUND_KEY, 32
        .equ    MODE, 48
        .equ    RCON, 49                ; the round constant

; Keeps two bytes of the state on the stack.
        .macro  keep one, two
        .if     \two == \one+1 && (\one & 1) == 0
        movw    ax, [hl+\one]
        .else
        mov     a, [hl+\one]
        mov     x, a
        mov     a, [hl+\two]
        .endif
        push    ax
        .endm

        .global aes128
aes128:
        push    hl
        movw    hl, ax
        add_first_round_key
        skz
        br      $!decrypt

        oneb    a
encrypt_round:
        call    $!next_key
        cmp     a, #0x6c
        sknz
        br      $!encrypt_last
        keep    1, 11                   ; at KEPT+4 and KEPT+5
        keep    2, 3                    ; at KEPT+2 and KEPT+3
        keep    6, 7                    ; at KEPT and KEPT+1
        mix_column sbox, 0, 5, 10, 15
        store_with_key ROUND_KEY, 0
        mix_column sbox, 4, 9, 14, KEPT+3
        store_with_key ROUND_KEY+4, 4
        mix_column sbox, 8, 13, KEPT+2, KEPT+1
        store_with_key ROUND_KEY+8, 8
        mix_column sbox, 12, KEPT+4, KEPT, KEPT+5
        store_with_key ROUND_KEY+12, 12
        addw    sp, #6
        mov     a, [hl+RCON]
        double
        br      $!encrypt_round
encrypt_last:
        last_round sbox, ROUND_KEY, 4, 12
        pop     hl
        ret

decrypt:
        mov     a, #0x36
decrypt_round:
        mov     [hl+RCON], a
        push    hl
        mov     b, #4
5:      previous_key_row ROUND_KEY
        incw    hl
        dec     b
        bnz     $5b
        pop     hl
        .irp    row, 0, 1, 2, 3
        mov     a, [hl+ROUND_KEY+12+((\row+1) & 3)]
        look_up sbox
        .if     \row == 0
        xor     a, [hl+RCON]
        .endif
        xor     a, [hl+ROUND_KEY+\row]
        mov     [hl+ROUND_KEY+\row], a
        .endr
        mov     a, [hl+RCON]
        cmp     a, #1
        sknz
        br      $!decrypt_last
        keep    1, 5                    ; at KEPT+4 and KEPT+5
        keep    2, 3                    ; at KEPT+2 and KEPT+3
        keep    6, 9                    ; at KEPT and KEPT+1
        mix_column inverse, 0, 13, 10, 7, ROUND_KEY
        unmix_and_store 0
        mix_column inverse, 4, KEPT+4, 14, 11, ROUND_KEY+4
        unmix_and_store 4
        mix_column inverse, 8, KEPT+5, KEPT+2, 15, ROUND_KEY+8
        unmix_and_store 8
        mix_column inverse, 12, KEPT+1, KEPT, KEPT+3, ROUND_KEY+12
        unmix_and_store 12
        addw    sp, #6
        mov     a, [hl+RCON]
        shr     a, 1
        sknc
        mov     a, #0x80
        br      $!decrypt_round
decrypt_last:
        rotate_and_substitute inverse, ROUND_KEY
        pop     hl
        ret

; The round key after the one that is there; A is the round constant. Afterwards RCON is that, A the next one.
next_key:
        mov     [hl+RCON], a
        next_key ROUND_KEY
        mov     a, d
        double
        ret

        .include "sbox.inc"
        .include "inverse.inc"
