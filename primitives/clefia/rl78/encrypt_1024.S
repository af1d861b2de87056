; CLEFIA-128: encryption in 1,024 bytes of ROM and 128 of RAM. The words of the state are rotated in each round; both
; S-boxes are tables. The key is left as it is.

        .include "clefia.inc"

        .equ    EXPANDED, 26            ; L, 16 bytes
        .equ    WORK, EXPANDED+4         ; a state and what is behind it, from which L is computed
        .equ    KEY, 56

        .global clefia128_encrypt
clefia128_encrypt:
        push    hl
        movw    hl, ax
        push    hl
        mov     b, #4
1:      mov     a, [hl+KEY]
        xor     a, [hl+4]
        mov     [hl+4], a
        mov     a, [hl+KEY+4]
        xor     a, [hl+12]
        mov     [hl+12], a
        incw    hl
        dec     b
        bnz     $1b
        mov     b, #16
2:      mov     a, [hl+KEY-4]
        mov     [hl+WORK-4], a
        incw    hl
        dec     b
        bnz     $2b
        advance WORK-20
        movw    ax, #FIRST
        movw    [hl+NUMBER], ax
        mov     b, #12
3:      push    bc
        call    $!constants
        call    $!round
        pop     bc
        dec     b
        bnz     $3b
        pop     hl
; The last round does not rotate the words.
        copy    WORK+12, EXPANDED
        copy    WORK+14, EXPANDED+2
        copy    WORK+NUMBER, NUMBER
        mov     b, #9
4:      push    bc
        select  EXPANDED
        call    $!keyed_round
        select  EXPANDED+8
        call    $!keyed_round
        double_swap EXPANDED, EXPANDED+8
        pop     bc
        dec     b
        bnz     $4b
        mov     b, #4
5:      mov     a, [hl]
        xor     a, [hl+KEY+8]
        xch     a, [hl+4]
        xch     a, [hl+8]
        xor     a, [hl+KEY+12]
        xch     a, [hl+12]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $5b
        pop     hl
        ret

; A round with half of L at DE; odd pairs of rounds, of which B on the stack is even, add half of the key.
keyed_round:
        call    $!constants
        call    $!add_keys
        mov     a, [sp+5]
        bt      a.0, $round
        movw    ax, de
        addw    ax, #KEY-EXPANDED-8
        movw    de, ax
        call    $!add_keys
round:
        round
        ret

constants:
        constants
        next_number
        ret

; Adds eight bytes at DE to the round keys; DE is behind them afterwards.
add_keys:
        push    hl
        mov     b, #2
6:      .rept   4
        mov     a, [de]
        xor     a, [hl+ROUND_KEY]
        mov     [hl+ROUND_KEY], a
        incw    de
        incw    hl
        .endr
        dec     b
        bnz     $6b
        pop     hl
        ret

        .include "box0.inc"
        .include "box1.inc"
