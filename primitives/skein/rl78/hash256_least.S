; Skein-256-256 in the least ROM.

        .equ    BYTES, 32
        .equ    LEAST, 1
        .equ    HALVES, 0
        .include "table.inc"
