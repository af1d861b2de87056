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
        add_to_words c
        pop     hl
        ret

; The constants of the next number.
next:
        movw    ax, [hl+NUMBER]
        next_number
        spaced_constants KEYS
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

        .include "computed.inc"
