; AES-128: encryption and decryption in 1,024 bytes of ROM and 128 of RAM. One column of code for each direction: HL
; moves over the state, which continues behind its end with copies of its first bytes. The key is left as it is.
; MODE: 0 encrypts, 1 decrypts, 2 decrypts with the last round key as the key.

        .include "aes.inc"

        .equ    ROUND_KEY, 28           ; 17 bytes; the state and copies of its first 12 bytes are before it
        .equ    MODE, 45
        .equ    KEY, 46

        .global aes128
aes128:
        push    hl
        movw    hl, ax
        add_first_round_key
        bnz     $decrypt

        oneb    a
encrypt_round:
        call    $!next_key
        cmp     a, #0x6c
        bz      $encrypt_last
        push    ax
        push    hl
        call    $!columns
        pop     hl
        pop     ax
        br      $encrypt_round

encrypt_last:
        last_bytes sbox, 4
        pop     hl
        ret

decrypt:
        mov     a, #0x36
decrypt_round:
        call    $!previous_key
        mov     a, b
        dec     b
        bz      $decrypt_last
        push    ax
        push    hl
        call    $!inverse_columns
        pop     hl
        pop     ax
        shr     a, 1
        sknc
        mov     a, #0x80
        br      $decrypt_round

decrypt_last:
        last_bytes inverse, 12
        pop     hl
        ret

; The round key before the one that is there; otherwise as `next_key`.
previous_key:
        push    ax
        push    hl
        mov     c, a
        call    $!previous_rows
        pop     hl
        push    hl
        call    $!substitute_rows
        br      $extend

; The round key after the one that is there; A is the round constant. Afterwards B is that, A the next
; one, and the state's first bytes are
; copied behind it.
next_key:
        push    ax
        push    hl
        mov     c, a
        call    $!substitute_rows
        call    $!next_rows
extend:
        pop     hl
        push    hl
        mov     b, #6
7:      movw    ax, [hl]
        movw    [hl+16], ax
        incw    hl
        incw    hl
        dec     b
        bnz     $7b
        pop     hl
        pop     bc
        mov     a, b
        double
        ret

; Adds the rotated and substituted last word of a round key, and C, to its first word.
substitute_rows:
        mov     a, [hl+ROUND_KEY+12]
        mov     [hl+ROUND_KEY+16], a
        call    $!two_substitutes
two_substitutes:
        call    $!substitute
substitute:
        mov     a, [hl+ROUND_KEY+13]
        look_up sbox
        xor     a, c
        clrb    c
        xor     a, [hl+ROUND_KEY]
        mov     [hl+ROUND_KEY], a
        incw    hl
        ret

next_rows:
        call    $!two_next_rows
two_next_rows:
        call    $!next_row
next_row:
        mov     a, [hl+ROUND_KEY-4]
        .irp    word, 0, 4, 8
        xor     a, [hl+ROUND_KEY+\word]
        mov     [hl+ROUND_KEY+\word], a
        .endr
        incw    hl
        ret

previous_rows:
        call    $!two_previous_rows
two_previous_rows:
        call    $!previous_row
previous_row:
        previous_key_row ROUND_KEY
        incw    hl
        ret

columns:
        call    $!two_columns
two_columns:
        call    $!column
column:
        mix_column sbox, 0, 5, 10, 15
        store_column ROUND_KEY
        ret

inverse_columns:
        call    $!two_inverse_columns
two_inverse_columns:
        call    $!inverse_column
inverse_column:
        mix_column inverse, 0, 13, 10, 7, ROUND_KEY
        unmix_and_store 0, 1
        ret

        .include "sbox.inc"
        .include "inverse.inc"
