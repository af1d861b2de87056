; Grøstl-256 in 2 KB of ROM and 256 bytes of RAM.

        .equ    BYTES, 64
        .equ    SEPARATE, 1
        .equ    AT_ONCE, 8
        .include "groestl.inc"
