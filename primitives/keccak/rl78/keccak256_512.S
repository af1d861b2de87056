; Keccak-256 in 512 bytes of ROM and 512 of RAM.

        .include "keccak.inc"

        .equ    RATE, 136

        .include "table.inc"
