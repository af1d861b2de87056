; Grøstl-512 in the least ROM.

        .equ    BYTES, 128
        .equ    IN_RAM, 0
        .equ    TABLELESS, 1
        .equ    QUICK, 0
        .include "small.inc"
