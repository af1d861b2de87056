; Keccak-256 in 2,214 bytes of ROM and 512 of RAM.

        .include "keccak.inc"

        .equ    RATE, 136
        .equ    FUSED, 2
        .equ    SUMMED, 4

        .include "lanes.inc"
