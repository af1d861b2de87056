; Grøstl-256 in 512 bytes of ROM.

        .equ    BYTES, 64
        .include "small.inc"
