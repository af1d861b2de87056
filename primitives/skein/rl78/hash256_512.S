; Skein-256-256 in 512 bytes of ROM.

        .equ    BYTES, 32
        .equ    LEAST, 0
        .equ    HALVES, 0
        .include "table.inc"
