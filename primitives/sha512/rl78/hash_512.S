; SHA-512 in 512 bytes of ROM and of RAM.

        .include "sha512.inc"

        .equ    LAST_PRIME, 409

        .include "../../sha256/rl78/roots.inc"
