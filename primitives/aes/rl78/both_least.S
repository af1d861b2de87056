; AES-128: encryption and decryption in the least ROM, and in 128 bytes of RAM. One column of code for each direction:
; HL moves over the state, which continues behind its end with copies of its first bytes. The key is left as it is.
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
        mov     e, #12
        oneb    b
        br      $last
encrypt_last:
        mov     e, #4
        clrb    b
; The last round: B chooses the table, and the row of each byte is rotated by E bytes more than the one before.
last:
        mov     d, #16
        clrb    c
5:      mov     a, [hl+c]
        push    bc
        mov     c, a
        mov     a, sbox[bc]
        pop     bc
        xor     a, [hl+ROUND_KEY]
        mov     [hl], a
        incw    hl
        mov     a, c
        add     a, e
        and     a, #15
        mov     c, a
        dec     d
        bnz     $5b
        pop     hl
        ret

; The round key before the one that is there; otherwise as `next_key`.
previous_key:
        push    ax
        push    hl
        mov     c, a
        movw    ax, hl
        addw    ax, #12
        movw    hl, ax
        mov     b, #12
6:      decw    hl
        mov     a, [hl+ROUND_KEY]
        xor     a, [hl+ROUND_KEY+4]
        mov     [hl+ROUND_KEY+4], a
        dec     b
        bnz     $6b
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
        mov     b, #12
8:      mov     a, [hl+ROUND_KEY-4]
        xor     a, [hl+ROUND_KEY]
        mov     [hl+ROUND_KEY], a
        incw    hl
        dec     b
        bnz     $8b
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
        br      $!twice

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
        mov     e, a
        xor     a, c
        call    $!four_times
        xor     c, a
        xor     a, e
        mov     [hl+3], a
        mov     a, x
        xor     a, d
        call    $!four_times
        xor     d, a
        xor     a, x
        mov     [hl], a
        .irp    row, c, d
        incw    hl
        mov     a, \row
        mov     [hl], a
        .endr
        incw    hl
        incw    hl
        ret

four_times:
        double
twice:
        double
        ret

        .include "sbox.inc"
        .include "inverse.inc"
