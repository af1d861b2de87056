; AES-128: encryption and decryption in the ROM of `both_least`, and in 64 bytes of RAM. As in `both_1024_64`, round keys
; replace the key. ShiftRows and SubBytes are a pass of their own, so that both directions share the code of MixColumns.

        .equ    DOUBLE_BY_CALL, 1
        .include "aes.inc"
        .include "one_key.inc"

        .global aes128
aes128:
        push    hl
        movw    hl, ax
        mov     a, [hl+MODE]
        dec     a
        bnz     $first_key
        all_next_keys
first_key:
        call    $!add_key
        mov     e, #1
        mov     a, [hl+MODE]
        cmp0    a
        bz      $encrypt_round
        mov     e, #0x36
decrypt_round:
        call    $!previous_key
        oneb    b
        mov     c, #12
        call    $!substitute
        call    $!add_key
        mov     a, e
        cmp0    a
        bz      $decrypted

mix_columns:
        mov     d, #4
3:      push    de
        mix_column -, 0, 1, 2, 3
        cmp0    b
        bz      $4f
; What MixColumns lacks to InvMixColumns: four times the sum of two rows is added to both.
        mov     e, a
        xor     a, c
        call    $!four_times
        xor     c, a
        xor     e, a
        mov     a, x
        xor     a, d
        call    $!four_times
        xor     d, a
        xor     x, a
        mov     a, e
4:      mov     [hl+3], a
        .irp    row, x, c, d
        mov     a, \row
        mov     [hl], a
        incw    hl
        .endr
        incw    hl
        pop     de
        dec     d
        bnz     $3b
        call    $!rewind
        cmp0    b
        bnz     $decrypt_round
        call    $!add_key
encrypt_round:
        call    $!next_key
        clrb    b
        mov     c, #4
        call    $!substitute
        mov     a, e
        cmp     a, #BEHIND
        bnz     $mix_columns
        call    $!add_key
        keep_last_key
        br      $finish
decrypted:
        mov     a, [hl+MODE]
        dec     a
        bz      $finish
        all_next_keys
finish:
        pop     hl
        ret

; SubBytes by the table that B chooses; each row is rotated by C bytes more than the one before. B stays as it is.
substitute:
        call    $!extend
        mov     a, c
        mov     x, a
        mov     d, #16
        clrb    c
5:      mov     a, [hl+c]
        push    bc
        mov     c, a
        mov     a, sbox[bc]
        pop     bc
        mov     [hl], a
        incw    hl
        mov     a, c
        add     a, x
        and     a, #15
        mov     c, a
        dec     d
        bnz     $5b
        br      $rewind

add_key:
        mov     d, #16
6:      mov     a, [hl+KEY]
        xor     a, [hl]
        mov     [hl], a
        incw    hl
        dec     d
        bnz     $6b
        br      $rewind

four_times:
        double
twice:
        double
        ret

        subroutines_of_keys

        .include "sbox.inc"
        .include "inverse.inc"
