; Grøstl-512 in 1 KB of ROM and 512 bytes of RAM.

        .equ    BYTES, 128
        .equ    SEPARATE, 0
        .equ    AT_ONCE, 2
        .include "groestl.inc"
