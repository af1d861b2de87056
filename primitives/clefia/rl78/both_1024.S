; CLEFIA-128: encryption and decryption in 1,024 bytes of ROM and 128 of RAM. The S-box S0 is composed of boxes of four
; bits, S1 is a table. The key is left as it is. MODE: 0 encrypts, 1 decrypts, 2 decrypts with
; L as 1 left it.

        .include "clefia.inc"

        .equ    EXPANDED, 26            ; L, 16 bytes; while it is computed, those behind it are a round's
        .equ    KEY, 52
        .equ    MODE, 68

        .macro  start number
        movw    ax, #\number
        movw    [hl+NUMBER], ax
        .endm

        .macro  whiten offset
        mov     a, #\offset
        call    $!whiten
        .endm

; The S-boxes of a byte of the state plus one of a round key.
        .macro  box0_of byte, key
        get     \byte
        xor     a, [hl+\key]
        call    $!box0
        .endm

        .macro  box1_of byte, key
        index_of b, \byte, 0, \key
        mov     a, box1[b]
        .endm

        .global clefia128
clefia128:
        push    hl
        movw    hl, ax
        mov     a, [hl+MODE]
        bt      a.1, $decrypt
        push    hl
        mov     b, #8
1:      copy    KEY, EXPANDED
        incw    hl
        incw    hl
        dec     b
        bnz     $1b
        advance EXPANDED-16
        start   BEFORE_FIRST
        mov     b, #12
2:      push    bc
        call    $!next
        call    $!round
        call    $!rotate_left
        pop     bc
        dec     b
        bnz     $2b
        call    $!rotate_right          ; the last round does not rotate the words
        pop     hl
        mov     a, [hl+MODE]
        cmp0    a
        bnz     $decrypt

        copy    EXPANDED+NUMBER, NUMBER
        whiten  KEY
        mov     b, #9
3:      push    bc
        call    $!next
        select  EXPANDED
        call    $!keyed_round
        call    $!rotate_left
        call    $!next
        select  EXPANDED+8
        call    $!keyed_round
        call    $!rotate_left
        call    $!double_swap
        pop     bc
        dec     b
        bnz     $3b
        call    $!rotate_right
        whiten  KEY+8
        pop     hl
        ret

decrypt:
        mov     e, #9
4:      call    $!double_swap
        dec     e
        bnz     $4b
        start   END
        whiten  KEY+8
        call    $!rotate_left
        mov     b, #9
5:      push    bc
        double_swap EXPANDED+8, EXPANDED
        call    $!rotate_right
        call    $!previous
        select  EXPANDED+8
        call    $!keyed_round
        call    $!rotate_right
        call    $!previous
        select  EXPANDED
        call    $!keyed_round
        pop     bc
        dec     b
        bnz     $5b
        whiten  KEY
        pop     hl
        ret

double_swap:
        double_swap EXPANDED, EXPANDED+8
        ret

; Adds four bytes at offset A to the second word of the state, and the next four to the last one.
whiten:
        mov     x, a
        clrb    a
        addw    ax, hl
        movw    de, ax
        push    hl
        add_to_words b
        pop     hl
        ret

rotate_right:
        push    hl
        mov     b, #4
7:      mov     a, [hl]
        xch     a, [hl+4]
        xch     a, [hl+8]
        xch     a, [hl+12]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $7b
        pop     hl
        ret
rotate_left:
        push    hl
        mov     b, #4
8:      mov     a, [hl]
        xch     a, [hl+12]
        xch     a, [hl+8]
        xch     a, [hl+4]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $8b
        pop     hl
        ret

; The constants of the previous number, and of the next one.
previous:
        movw    ax, [hl+NUMBER]
        previous_number
        br      $constants
next:
        movw    ax, [hl+NUMBER]
        next_number
constants:
        constants
        ret

; A round with half of L at DE; odd pairs of rounds, of which B on the stack is even, add half of the key.
keyed_round:
        call    $!add_keys
        mov     a, [sp+5]
        bt      a.0, $round
        movw    ax, de
        addw    ax, #KEY-EXPANDED-8
        movw    de, ax
        call    $!add_keys
round:
        box0_of 0, ROUND_KEY
        mov     x, a
        box0_of 2, ROUND_KEY+2
        mov     e, a
        box1_of 1, ROUND_KEY+1
        mov     c, a
        box1_of 3, ROUND_KEY+3
        mov     d, a
        matrix0 x, c, e, d
        add_word 4, 4, x, c, e, d
        box0_of 9, ROUND_KEY+5
        mov     x, a
        box0_of 11, ROUND_KEY+7
        mov     e, a
        box1_of 8, ROUND_KEY+4
        mov     c, a
        box1_of 10, ROUND_KEY+6
        mov     d, a
        matrix1 c, x, d, e
        add_word 12, 12, c, x, d, e
        ret

; Adds eight bytes at DE to the round keys; DE is behind them afterwards.
add_keys:
        push    hl
        mov     b, #2
9:      .rept   4
        mov     a, [de]
        xor     a, [hl+ROUND_KEY]
        mov     [hl+ROUND_KEY], a
        incw    de
        incw    hl
        .endr
        dec     b
        bnz     $9b
        pop     hl
        ret

        .include "nibbles.inc"
        .include "box1.inc"
