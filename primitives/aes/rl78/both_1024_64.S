; AES-128: encryption and decryption in 1,024 bytes of ROM and 64 of RAM. There is no room for a second key: round keys
; replace the key, which is computed back afterwards. One column of code for each direction, as in `both_least`.

        .include "aes.inc"
        .include "one_key.inc"

        .global aes128
aes128:
        push    hl
        movw    hl, ax
        mov     a, [hl+MODE]
        dec     a
        bnz     $add_key
        all_next_keys
add_key:
        mov     b, #16
1:      mov     a, [hl+KEY]
        xor     a, [hl]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $1b
        call    $!rewind
        mov     a, [hl+MODE]
        cmp0    a
        bnz     $decrypt

        mov     e, #1
encrypt_round:
        call    $!next_key
        bz      $encrypt_last
        call    $!extend
        mov     d, #4
2:      push    de
        mix_column sbox, 0, 5, 10, 15
        store_column KEY
        pop     de
        dec     d
        bnz     $2b
        call    $!rewind
        br      $encrypt_round

decrypt:
        mov     e, #0x36
decrypt_round:
        call    $!previous_key
        bz      $decrypt_last
        call    $!extend
        mov     d, #4
3:      push    de
        mix_column inverse, 0, 13, 10, 7, KEY
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
        pop     de
        dec     d
        bnz     $3b
        call    $!rewind
        br      $!decrypt_round

decrypt_last:
        mov     e, #12
        oneb    b
        br      $last
encrypt_last:
        mov     e, #4
        clrb    b
; The last round: B chooses the table, and the row of each byte is rotated by E bytes more than the one before.
last:
        call    $!extend
        mov     d, #16
        clrb    c
4:      mov     a, [hl+c]
        push    bc
        mov     c, a
        mov     a, sbox[bc]
        pop     bc
        xor     a, [hl+KEY]
        mov     [hl], a
        incw    hl
        mov     a, c
        add     a, e
        and     a, #15
        mov     c, a
        dec     d
        bnz     $4b
        call    $!rewind
        mov     a, [hl+MODE]
        cmp0    a
        bnz     $decrypted
        keep_last_key
        pop     hl
        ret
decrypted:
        dec     a
        bz      $finish
        all_next_keys
finish:
        pop     hl
        ret

four_times:
        double
        double
        ret

        subroutines_of_keys

        .include "sbox.inc"
        .include "inverse.inc"
