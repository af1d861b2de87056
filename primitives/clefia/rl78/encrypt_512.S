; CLEFIA-128: encryption in 512 bytes of ROM and 128 of RAM. Both S-boxes and the matrices are computed, S1 by an inversion in
; GF(2^8) between two affine maps. The key is left as it is.

        .equ    NUMBER, 16
        .include "clefia.inc"

        .equ    KEYS, 20                ; the round keys, as far apart as the words that they are added to
        .equ    EXPANDED, 32            ; L, 16 bytes; while it is computed, those behind it are a round's
        .equ    KEY, 64

        .global clefia128_encrypt
clefia128_encrypt:
        push    hl
        movw    hl, ax
        push    hl
        mov     b, #16
1:      mov     a, [hl+KEY]
        mov     [hl+EXPANDED], a
        incw    hl
        dec     b
        bnz     $1b
        advance EXPANDED-16
        movw    ax, #BEFORE_FIRST
        movw    [hl+NUMBER], ax
        mov     b, #12
2:      push    bc
        call    $!next
        call    $!round
        pop     bc
        dec     b
        bnz     $2b
        call    $!rotate_right          ; the last round does not rotate the words
        pop     hl
        copy    EXPANDED+NUMBER, NUMBER
        mov     a, #KEY
        call    $!add_words
        mov     b, #9
3:      push    bc
        mov     a, #EXPANDED-16
        call    $!keyed_round
        mov     a, #EXPANDED+8-16
        call    $!keyed_round
        double_swap EXPANDED, EXPANDED+8
        pop     bc
        dec     b
        bnz     $3b
        call    $!rotate_right
        mov     a, #KEY+8
        call    $!add_words
        pop     hl
        ret

; Adds four bytes at HL + A to the second word of the state, and the next four to the last one.
add_words:
        mov     x, a
        clrb    a
        addw    ax, hl
        movw    de, ax
        push    hl
        mov     c, #4
4:      mov     a, [de]
        xor     a, [hl+4]
        mov     [hl+4], a
        mov     a, [de+4]
        xor     a, [hl+12]
        mov     [hl+12], a
        incw    de
        incw    hl
        dec     c
        bnz     $4b
        pop     hl
        ret

; The constants of the next number.
next:
        movw    ax, [hl+NUMBER]
        next_number
        movw    bc, ax
        xor     a, #0xb7
        xch     a, x
        xor     a, #0xe1
        movw    [hl+KEYS], ax
        movw    ax, bc
        mov1    cy, a.7
        rolwc   ax, 1
        xor     a, #0xff
        xch     a, x
        xor     a, #0xff
        movw    [hl+KEYS+2], ax
        movw    ax, bc
        movw    [hl+KEYS+10], ax
        xor     a, #0xdb
        xch     a, x
        xor     a, #0xc0
        movw    [hl+KEYS+8], ax
        ret

; A round with half of L at HL + A + 16; odd pairs of rounds, of which B on the stack is even, add half of the key.
keyed_round:
        push    ax
        call    $!next
        pop     bc
        push    hl
        advance 16
        mov     a, b
        call    $!add_words
        mov     a, [sp+7]
        bt      a.0, $5f
        mov     a, b
        add     a, #KEY-EXPANDED
        call    $!add_words
5:      pop     hl
round:
        movw    bc, #KEYS
        call    $!word
        push    hl
        advance 8
        movw    bc, #0x400+KEYS
        call    $!word
        pop     hl
rotate_left:
        push    hl
        mov     b, #4
6:      mov     a, [hl]
        xch     a, [hl+12]
        xch     a, [hl+8]
        xch     a, [hl+4]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $6b
        pop     hl
        ret
rotate_right:
        call    $!rotate_left
        call    $!rotate_left
        br      $rotate_left

; Adds F0 of a word, or F1 if B is 4, to the next one. C is the offset of the round key.
word:
        push    bc
        mov     a, [hl+c]
        mov     x, a
        mov     a, c
        and     a, #3
        mov     c, a
        mov     a, x
        xor     a, [hl+c]
        mov     x, a
        mov     a, b
        shr     a, 2
        xor     a, c
        shr     a, 1
        mov     a, x
        call    $!box
        pop     bc
        push    bc
        mov     d, a
9:      push    bc
        mov     a, matrices[b]
        mov     c, a
        call    $!product
        pop     bc
        push    bc
        mov     x, a
        mov     a, b
        xor     a, c
        and     a, #3
        or      a, #4
        mov     c, a
        mov     a, x
        xor     a, [hl+c]
        mov     [hl+c], a
        pop     bc
        inc     b
        mov     a, b
        and     a, #3
        bnz     $9b
        pop     bc
        inc     c
        mov     a, c
        and     a, #3
        bnz     $word
        ret

; A = S0 of A, or S1 if CY is set (section 5.3).
box:
        bnc     $box0
        mov     b, #16
        mov     d, #0x25
        call    $!affine
        mov     x, a
        mov     d, a
        mov     e, #13
1:      mov     a, e                    ; D = D squared, and D times X, in turn
        shr     a, 1
        mov     a, x
        sknc
        mov     a, d
        mov     c, a
        call    $!product
        mov     d, a
        dec     e
        bnz     $1b
        mov     b, #8
        mov     d, #0x69
; D is the sum of D and, for each bit in A, a byte of those before `maps` + B.
affine:
        mov     c, a
2:      shl     c, 1
        mov     a, maps-1[b]
        sknc
        xor     d, a
        dec     b
        mov     a, b
        and     a, #7
        bnz     $2b
        mov     a, d
        ret

; A = C D in GF(2^8)
product:
        mov     b, #8
        clrb    a
3:      shl     a, 1
        sknc
        xor     a, #0x1d
        shl     c, 1
        sknc
        xor     a, d
        dec     b
        bnz     $3b
        ret

        .include "nibbles.inc"

; The first rows of M0 and M1.
matrices:
        .byte   1, 2, 4, 6, 1, 8, 2, 10
; The images of the bits in the second affine map and in the first one.
maps:   .byte   0xe3, 0x6e, 0xc5, 0x91, 0x25, 0x38, 0x8b, 0x47
        .byte   0x01, 0x29, 0x30, 0xc6, 0x6c, 0x58, 0xa6, 0x42
