; Skein-256-256 in 1 KB of ROM.

        .equ    BYTES, 32
        .equ    SHORT_KEY, 1
        .equ    SHORT_COUNT, 0
        .equ    SHORT_SUM, 1
        .equ    MULTIPLY, 0
        .equ    TAIL_0, 0
        .equ    TAIL_1, 0
        .equ    TAIL_2, 0
        .equ    TAIL_4, 0
        .equ    TAIL_5, 0
        .equ    TAIL_6, 0
        .equ    TAIL_7, 0
        .include "calls.inc"
