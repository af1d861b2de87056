; Grøstl-512 in 2 KB of ROM and 512 bytes of RAM.

        .equ    BYTES, 128
        .equ    SEPARATE, 1
        .equ    AT_ONCE, 8
        .include "groestl.inc"
