; Keccak-256 in the least ROM, and in 512 bytes of RAM.

        .include "keccak.inc"

        .equ    RATE, 136
        .equ    LAST, 0x8e              ; the shift register after all rounds

        .include "least.inc"
