; Grøstl-512 in 512 bytes of ROM.

        .equ    BYTES, 128
        .equ    IN_RAM, 0
        .equ    TABLELESS, 0
        .equ    QUICK, 0
        .include "small.inc"
