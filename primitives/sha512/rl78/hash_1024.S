; SHA-512 in 1,024 bytes of ROM and 512 of RAM.

        .include "sha512.inc"
        .include "loops.inc"
        .include "upright_constants.inc"
