; Grøstl-256 in 512 bytes of ROM and 256 of RAM.

        .equ    BYTES, 64
        .equ    IN_RAM, 0
        .equ    TABLELESS, 0
        .equ    QUICK, 0
        .include "small.inc"
