; Grøstl-256 in 1 KB of ROM and 256 bytes of RAM.

        .equ    BYTES, 64
        .equ    SEPARATE, 0
        .equ    AT_ONCE, 4
        .include "groestl.inc"
