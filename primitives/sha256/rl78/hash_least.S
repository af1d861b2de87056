; SHA-256 in the least ROM, and in 256 bytes of RAM.

        .include "sha256.inc"
        .include "loops.inc"
        .include "upright_constants.inc"
