; SHA-512 in 2,048 bytes of ROM and 256 of RAM: message, variables and chaining value have 256 bytes, and the return
; address 4. So nothing is pushed, and the first 4 bytes of the chaining value, whose place the last variable takes, are
; in register bank 1, together with HL of the caller and the place in the table of constants. These 8 bytes are r8 to r15
; of GCC, which a called function may change.
; Words have their most significant byte first. Variables and message move on by a word in each round. HL points to the
; parameter block.

        .include "sha512.inc"

        .equ    LAST, SIZE-1
        .equ    VARIABLES, 16*SIZE              ; behind the message
        .equ    VALUE, VARIABLES+8*SIZE-4
        .equ    VAR_A, VARIABLES
        .equ    VAR_B, VARIABLES+SIZE
        .equ    VAR_C, VARIABLES+2*SIZE
        .equ    VAR_D, VARIABLES+3*SIZE
        .equ    VAR_E, VARIABLES+4*SIZE
        .equ    VAR_F, VARIABLES+5*SIZE
        .equ    VAR_G, VARIABLES+6*SIZE
        .equ    VAR_H, VARIABLES+7*SIZE
        .equ    CALLERS_HL, 0xffef0
        .equ    CONSTANT, 0xffef2
        .equ    FIRST_BYTES, 0xffef4

        .macro  advance count
        movw    ax, hl
        addw    ax, #\count
        movw    hl, ax
        .endm

; A loop over the bytes of a word, the least significant first, with a carry from each to the next.
        .macro  each_byte
        advance LAST
        mov     c, #SIZE
        clr1    cy
1:
        .endm

        .macro  next_byte
        decw    hl
        dec     c
        bnz     $1b
        incw    hl
        .endm

        .macro  add_to offset
        addc    a, [hl+\offset]
        mov     [hl+\offset], a
        .endm

        .macro  add_word from, to
        each_byte
        mov     a, [hl+\from]
        add_to  \to
        next_byte
        .endm

; D ^= a byte of a word's rotation to the right: the upper part of a product and the lower one of the byte before. C is the
; byte's offset in another word. The first byte of a word that is shifted has none before it.
        .macro  rotated from, count, shifts=0
        product \from, ((\count-1) >> 3), (0x80 >> ((\count-1) & 7))
        xor     a, d
        mov     d, a
        .if     \shifts
        mov     a, c
        and     a, #LAST
        bz      $2f
        .endif
        product \from, ((\count-1) >> 3)+1, (0x80 >> ((\count-1) & 7))
        mov     a, x
        xor     a, d
        mov     d, a
2:
        .endm

; AX is the product of the byte so many before that at C.
        .macro  product from, before, factor
        mov     a, c
        sub     a, #\before
        and     a, #LAST
        add     a, #\from
        mov     b, a
        mov     a, [hl+b]
        mov     x, #\factor
        mulu    x
        .endm

; Adds three rotations of a word, or two and a shift, without carries among them. E is the carry of the sum.
        .macro  add_rotated from, to, first, second, third, shifts=0
        mov     c, #\to+LAST
        mov     e, #0
1:      mov     d, #0
        rotated \from, \first
        rotated \from, \second
        rotated \from, \third, \shifts
        mov     a, e
        shr     a, 1
        mov     a, [hl+c]
        addc    a, d
        mov     [hl+c], a
        clrb    a
        rolc    a, 1
        mov     e, a
        mov     a, c
        dec     c
        and     a, #LAST
        skz
        br      $!1b
        .endm

; Moves words: each of the offsets gets the word of the one before it, and the first one that of the last.
        .macro  move_words last, offsets:vararg
        mov     c, #SIZE
1:      mov     a, [hl+\last]
        .irp    offset, \offsets
        xch     a, [hl+\offset]
        .endr
        incw    hl
        dec     c
        bnz     $1b
        advance -SIZE
        .endm

        .global sha512
sha512:
        xchw    ax, hl
        movw    CALLERS_HL, ax
        movw    ax, [hl+VALUE]
        movw    FIRST_BYTES, ax
        movw    ax, [hl+VALUE+2]
        movw    FIRST_BYTES+2, ax
        mov     c, #4*SIZE
1:      movw    ax, [hl+VALUE]
        movw    [hl+VARIABLES], ax
        incw    hl
        incw    hl
        dec     c
        bnz     $1b
        advance -8*SIZE
        movw    ax, #constants+LAST
round:
        movw    CONSTANT, ax
        movw    de, ax
        each_byte
        mov     a, [de]
        add_to  VAR_H
        decw    de
        next_byte
        add_word 0, VAR_H
        add_rotated VAR_E, VAR_H, SUM1_1, SUM1_2, SUM1_3
; Ch
        each_byte
        mov     a, [hl+VAR_F]
        xor     a, [hl+VAR_G]
        and     a, [hl+VAR_E]
        xor     a, [hl+VAR_G]
        add_to  VAR_H
        next_byte
        add_word VAR_H, VAR_D
        add_rotated VAR_A, VAR_H, SUM0_1, SUM0_2, SUM0_3
; Maj
        each_byte
        mov     a, [hl+VAR_A]
        xor     a, [hl+VAR_B]
        mov     x, a
        mov     a, [hl+VAR_C]
        xor     a, [hl+VAR_B]
        and     a, x
        xor     a, [hl+VAR_B]
        add_to  VAR_H
        next_byte
        move_words VAR_H, VAR_A, VAR_B, VAR_C, VAR_D, VAR_E, VAR_F, VAR_G, VAR_H
; The word of the message for 16 rounds later.
        add_word 9*SIZE, 0
        add_rotated SIZE, 0, SIGMA0_1, SIGMA0_2, SIGMA0_3, 1
        add_rotated 14*SIZE, 0, SIGMA1_1, SIGMA1_2, SIGMA1_3, 1
        move_words 0, 120, 112, 104, 96, 88, 80, 72, 64, 56, 48, 40, 32, 24, 16, 8, 0
        movw    ax, CONSTANT
        addw    ax, #SIZE
        cmpw    ax, #constants+LAST+ROUNDS*SIZE
        skz
        br      $!round

        advance 8*SIZE-1
        mov     b, #8
2:      dec     b
        bnz     $3f
; The last variable, in whose place these bytes are, was added before.
        movw    ax, FIRST_BYTES
        movw    [hl+VALUE-LAST], ax
        movw    ax, FIRST_BYTES+2
        movw    [hl+VALUE-LAST+2], ax
3:      mov     c, #SIZE
        clr1    cy
4:      mov     a, [hl+VARIABLES]
        add_to  VALUE
        decw    hl
        dec     c
        bnz     $4b
        cmp0    b
        bnz     $2b
        movw    ax, CALLERS_HL
        movw    hl, ax
        ret

        .include "upright_constants.inc"
