; Keccak-512 in 1,024 bytes of ROM and 512 of RAM.

        .include "keccak.inc"

        .equ    RATE, 72
        .equ    SUMMED, 2

        .include "mixed.inc"
