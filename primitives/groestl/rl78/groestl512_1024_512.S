; Grøstl-512 in 1 KB of ROM and 512 bytes of RAM.

        .equ    BYTES, 128

; Copies the first columns behind the last one.
        .macro  copy_columns
        .set    word, 0
        .rept   COPIES/2
        .if     word
        movw    ax, [de+2*word]
        .else
        movw    ax, [de]
        .endif
        movw    [de+2*word+BYTES], ax
        .set    word, word+1
        .endr
        .endm

        .include "columns.inc"
