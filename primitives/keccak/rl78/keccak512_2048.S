; Keccak-512 in 2,048 bytes of ROM and 512 of RAM.

        .include "keccak.inc"

        .equ    RATE, 72
        .equ    FUSED, 0
        .equ    SUMMED, 2

        .include "lanes.inc"
