; Grøstl-512 in 512 bytes of ROM.

        .equ    BYTES, 128
        .include "small.inc"
