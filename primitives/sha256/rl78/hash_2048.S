; SHA-256 in 2,048 bytes of ROM and 256 of RAM.

        .include "sha256.inc"

        .equ    DOUBLED, 0
        .equ    PAIRED, 1
        .equ    WINDOW, 21

        .include "sha2.inc"
        .include "rounds.inc"
        .include "constants.inc"
