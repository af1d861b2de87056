; Skein-512-512 in the least ROM.

        .equ    BYTES, 64
        .equ    LEAST, 1
        .equ    HALVES, 0
        .include "table.inc"
