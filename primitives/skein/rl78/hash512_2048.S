; Skein-512-512 in 2 KB of ROM and 256 bytes of RAM.

        .equ    BYTES, 64
        .equ    SHORT_KEY, 0
        .equ    SHORT_COUNT, 0
        .equ    SHORT_SUM, 0
        .equ    MULTIPLY, 0
        .equ    TAILS, 1
        .include "calls.inc"
