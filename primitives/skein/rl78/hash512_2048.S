; Skein-512-512 in 2 KB of ROM and 256 bytes of RAM.

        .equ    BYTES, 64
        .equ    SHORT_KEY, 0
        .equ    SHORT_COUNT, 0
        .equ    SHORT_SUM, 0
        .equ    MULTIPLY, 0
        .equ    TAIL_0, 1
        .equ    TAIL_1, 1
        .equ    TAIL_2, 1
        .equ    TAIL_3, 1
        .equ    TAIL_4, 1
        .equ    TAIL_5, 1
        .equ    TAIL_6, 1
        .equ    TAIL_7, 1
        .include "calls.inc"
