; Skein-512-512 in 1 KB of ROM and 256 bytes of RAM.

        .equ    BYTES, 64
        .equ    SHORT_KEY, 0
        .equ    SHORT_COUNT, 1
        .equ    SHORT_SUM, 1
        .equ    MULTIPLY, 1
        .include "calls.inc"
