; Keccak-512 in 512 bytes of ROM and 512 of RAM.

        .include "keccak.inc"

        .equ    RATE, 72

        .include "table.inc"
