; Skein-256-256 in 1 KB of ROM.

        .equ    BYTES, 32
        .equ    SHORT_KEY, 1
        .equ    SHORT_COUNT, 0
        .equ    SHORT_SUM, 1
        .equ    MULTIPLY, 0
        .equ    TAILS, 0
        .include "calls.inc"
