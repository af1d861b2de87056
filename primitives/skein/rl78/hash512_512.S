; Skein-512-512 in 512 bytes of ROM and 256 of RAM.

        .equ    BYTES, 64
        .equ    LEAST, 0
        .equ    HALVES, 1
        .include "table.inc"
