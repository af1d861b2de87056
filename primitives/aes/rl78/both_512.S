; AES-128: encryption and decryption in 512 bytes of ROM and 64 of RAM. The S-box is computed of a table of inverses, which has
; those of bytes whose upper bit is set: others are doubled until it is, and so are their inverses. MODE: 1 encrypts, and 3
; decrypts.

        .equ    DIRECT, 0
        .include "turns.inc"

box:
        cmp0    b
        bz      $substituted
        mov     d, a                    ; the inverse of the affine map
        rol     a, 1
        rol     a, 1
        xor     d, a
        rol     a, 1
        rol     a, 1
        rol     a, 1
        xor     a, d
        rol     a, 1
        xor     a, #5
; A = the inverse of A in GF(2^8)
invert:
        clrb    b
        cmp0    a
        bz      $3f
1:      inc     b
        shl     a, 1
        bnc     $1b
        shr     a, 1
        mov     c, a
        mov     a, inverses[c]
2:      dec     b
        bz      $3f
        double
        br      $2b
3:      ret
substituted:
        call    $!invert
        mov     d, a                    ; the affine map (FIPS 197, section 5.1.1)
        .rept   4
        rol     a, 1
        xor     d, a
        .endr
        mov     a, d
        xor     a, #0x63
        ret

        .include "inverses.inc"
