; SHA-512 in 2,048 bytes of ROM and 512 of RAM.

        .include "sha512.inc"

        .equ    DOUBLED, 1
        .equ    PAIRED, 0
        .equ    WINDOW, 22

        .include "../../sha256/rl78/sha2.inc"
        .include "../../sha256/rl78/rounds.inc"
        .include "constants.inc"
