; CLEFIA-128: encryption and decryption in 512 bytes of ROM and 128 of RAM. Both S-boxes and the matrices are computed, S1 by
; an inversion in GF(2^8) between two affine maps. Each round computes its keys from the cipher's key, so that decryption only
; counts the other way. The key is left as it is. MODE: bits by which words rotate after a round, besides one word to the
; left: 128, all of them, encrypts, and 64 decrypts.

        .equ    NUMBER, 20              ; between the two round keys, which are as far apart as the words of the state
        .include "clefia.inc"

        .equ    EXPANDED, 16            ; L, 16 bytes; behind it are a round's
        .equ    MODE, 44
        .equ    KEY, 52                 ; 34H: `whiten` sets bit 3, and leaves the bits around it as they are here

        .global clefia128
clefia128:
        push    hl
        movw    hl, ax
        mov     a, [hl+MODE]
        call    $!whiten
        movw    bc, #0x1201             ; rounds to come, and the number of this one
1:      push    bc
        mov     a, [hl+MODE]
        bt      a.6, $2f
        mov     a, c
        mov     b, a
2:      push    hl
        push    bc
        mov     b, #16
3:      mov     a, [hl+KEY]
        mov     [hl+EXPANDED], a
        incw    hl
        dec     b
        bnz     $3b
        movw    ax, #BEFORE_FIRST
        movw    [hl+NUMBER], ax
        mov     b, #12
4:      push    bc
        call    $!next
        mov     c, #ROUND_KEY
        call    $!round
        pop     bc
        dec     b
        bnz     $4b
        mov     c, #96                  ; the last round does not rotate the words
        call    $!rotate_words
        pop     bc
        push    bc
5:      call    $!next
        dec     b
        bz      $6f
        mov     a, b
        bt      a.0, $5b
        push    bc
        call    $!double_swap
        pop     bc
        br      $5b
6:      pop     bc
        dec     b
        mov     a, b                    ; half of L, and in odd pairs of rounds half of the key
        and     a, #1
        shl     a, 3
        mov     x, a
        clrb    a
        addw    ax, hl
        movw    de, ax
        advance ROUND_KEY-4
        call    $!add_words
        mov     a, b
        bf      a.1, $7f
        movw    ax, de
        addw    ax, #KEY-EXPANDED-4
        movw    de, ax
        call    $!add_words
7:      pop     hl
        mov     c, #EXPANDED+ROUND_KEY
        call    $!round
        mov     a, [hl+MODE]
        mov     c, a
        call    $!rotate_words
        pop     bc
        inc     c
        dec     b
        bnz     $1b
        mov     a, #96                  ; words as before the last rotation
        sub     a, [hl+MODE]
        push    ax
        mov     c, a
        call    $!rotate_words
        pop     ax
        call    $!whiten
        pop     hl
        ret

; Adds the half of the key that bit 6 of A selects.
whiten:
        shr     a, 3
        or      a, #KEY
        mov     x, a
        clrb    a
        addw    ax, hl
        movw    de, ax
; Adds four bytes at DE to the second word of the state, and the next four to the last one.
add_words:
        push    hl
        add_to_words c
        pop     hl
        ret

; The constants of the next number. BC is kept.
next:
        movw    ax, [hl+NUMBER]
        next_number
        spaced_constants ROUND_KEY
        ret

; DoubleSwap (section 6.2.1): the second half rotates to the right by 7 bits, then all to the left, then the half again.
double_swap:
        call    $!rotate_half
        mov     c, #7
        call    $!rotate_words
rotate_half:
        push    hl
        advance 8
        movw    bc, #0x800+64-7
        call    $!rotate
        pop     hl
        ret

; A round with the keys at HL + C: adds F0 of a word to the next one, and F1.
round:
        clrb    b
1:      push    bc
        mov     a, [hl+c]
        mov     x, a
        mov     a, c
        and     a, #15
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
2:      push    bc
        mov     a, matrices[b]
        mov     c, a
        call    $!product
        pop     bc
        push    bc
        mov     x, a
        mov     a, b
        xor     a, c
        and     a, #11
        or      a, #4
        mov     c, a
        mov     a, x
        xor     a, [hl+c]
        mov     [hl+c], a
        pop     bc
        inc     b
        mov     a, b
        and     a, #3
        bnz     $2b
        pop     bc
        inc     c
        mov     a, c
        and     a, #3
        bnz     $1b
        mov     b, #4
        mov     a, c
        add     a, #4
        mov     c, a
        bt      a.3, $1b
        mov     c, #32
; Rotates the state to the left by C bits, or B bytes by as many.
rotate_words:
        mov     b, #16
rotate:
        push    bc
        mov     a, [hl]
        shl     a, 1
3:      dec     b
        mov     a, [hl+b]
        rolc    a, 1
        mov     [hl+b], a
        inc     b
        dec     b
        bnz     $3b
        pop     bc
        dec     c
        bnz     $rotate
        ret

        .include "computed.inc"
