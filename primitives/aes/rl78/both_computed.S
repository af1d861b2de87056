; AES-128: encryption and decryption in the least ROM, and in 64 bytes of RAM. The S-box is an inversion in GF(2^8), as the
; power 254, and turns of the affine map. MODE: 9 encrypts, and 7 decrypts.

        .equ    DIRECT, 4
        .include "turns.inc"

; As many turns of the affine map before the inversion, and one more after it.
box:
        push    bc
        call    $!affine
        invert_by_power
        pop     bc
        inc     b
; The affine map, B times.
affine:
        affine
        dec     b
        bnz     $affine
        ret
