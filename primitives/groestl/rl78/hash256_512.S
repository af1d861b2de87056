; Grøstl-256 in 512 bytes of ROM.

        .equ    BYTES, 64
        .equ    IN_RAM, 1
        .equ    TABLELESS, 0
        .equ    QUICK, 1
        .include "small.inc"
