; SHA-256 in 512 bytes of ROM and 256 of RAM.

        .include "sha256.inc"

        .equ    LAST_PRIME, 311

        .include "roots.inc"
