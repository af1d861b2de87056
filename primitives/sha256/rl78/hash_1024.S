; SHA-256 in 1,024 bytes of ROM and 256 of RAM.

        .include "sha256.inc"

        .equ    WINDOW, 16

        .include "sha2.inc"
        .include "compact.inc"
        .include "constants.inc"
