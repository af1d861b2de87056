; CLEFIA-128: encryption and decryption in 2,048 bytes of ROM and 128 of RAM. Four rounds have code of their own, so that
; no word moves and keys are at fixed offsets. The key is left as it is. MODE: 0 encrypts, 1 decrypts.

        .include "clefia.inc"

        .equ    AT, 16                  ; the number, and its inverse rotated
        .equ    EXPANDED, 20            ; L, 16 bytes; four more are written
        .equ    ADDED, 40               ; the key; both are 0 while L is computed
        .equ    KEY, 56
        .equ    TEXT, 72                ; a copy
        .equ    MODE, 88


; A round that starts at a word, with L at an offset, and the key at another one unless that is 0.
        .macro  round_at first, second, third, fourth, expanded, added=0
        substitute_first \first, AT, \expanded, \added
        matrix0
        add_word \second, \second
        substitute_second \third, AT, \expanded+4, (\added+4)&(\added!=0)
        matrix1
        add_word \fourth, \fourth
        ret
        .endm

        .macro  rounds number:vararg
        .irp    one, \number
        call    $!next_round\one
        .endr
        .endm

        .macro  inverse_rounds number:vararg
        .irp    one, \number
        call    $!previous
        call    $!round\one
        .endr
        .endm

        .global clefia128
clefia128:
        push    hl
        movw    hl, ax
        push    hl
        mov     b, #8
1:      movw    ax, [hl]
        movw    [hl+TEXT], ax
        movw    ax, [hl+KEY]
        movw    [hl], ax
        clrw    ax
        movw    [hl+EXPANDED], ax
        movw    [hl+ADDED], ax
        incw    hl
        incw    hl
        dec     b
        bnz     $1b
        pop     hl
        movw    ax, #BEFORE_FIRST
        movw    [hl+AT], ax
        mov     b, #3
2:      push    bc
        rounds  0, 1, 2, 3
        pop     bc
        dec     b
        bnz     $2b
; The last round does not rotate the words.
        copy    12, EXPANDED
        copy    14, EXPANDED+2
        push    hl
        mov     b, #8
3:      copy    0, EXPANDED+4           ; the last two are not used
        copy    KEY, ADDED
        incw    hl
        incw    hl
        dec     b
        bnz     $3b
        pop     hl
        mov     a, [hl+MODE]
        cmp0    a
        bnz     $decrypt

        push    hl
        mov     b, #4
5:      mov     a, [hl+TEXT]
        mov     [hl], a
        mov     a, [hl+TEXT+4]
        xor     a, [hl+KEY]
        mov     [hl+4], a
        mov     a, [hl+TEXT+8]
        mov     [hl+8], a
        mov     a, [hl+TEXT+12]
        xor     a, [hl+KEY+4]
        mov     [hl+12], a
        incw    hl
        dec     b
        bnz     $5b
        pop     hl
        mov     b, #4
6:      push    bc
        rounds  0, 1
        call    $!double_swap
        rounds  2, 3
        call    $!double_swap
        pop     bc
        dec     b
        bnz     $6b
        rounds  0, 1
        mov     b, #4
7:      mov     a, [hl]
        xor     a, [hl+KEY+12]
        xch     a, [hl+12]
        xch     a, [hl+8]
        xor     a, [hl+KEY+8]
        xch     a, [hl+4]
        mov     [hl], a
        incw    hl
        dec     b
        bnz     $7b
        pop     hl
        ret

decrypt:
        mov     b, #8
1:      call    $!double_swap
        dec     b
        bnz     $1b
        movw    ax, #END
        movw    [hl+AT], ax
        push    hl
        mov     b, #4
2:      mov     a, [hl+TEXT+12]
        xor     a, [hl+KEY+12]
        mov     [hl], a
        mov     a, [hl+TEXT]
        mov     [hl+4], a
        mov     a, [hl+TEXT+4]
        xor     a, [hl+KEY+8]
        mov     [hl+8], a
        mov     a, [hl+TEXT+8]
        mov     [hl+12], a
        incw    hl
        dec     b
        bnz     $2b
        pop     hl
        call    $!inverse_first_rounds
        mov     b, #4
3:      push    bc
        call    $!double_swap_back
        inverse_rounds 3, 2
        call    $!double_swap_back
        call    $!inverse_first_rounds
        pop     bc
        dec     b
        bnz     $3b
        mov     b, #4
4:      mov     a, [hl+4]
        xor     a, [hl+KEY]
        mov     [hl+4], a
        mov     a, [hl+12]
        xor     a, [hl+KEY+4]
        mov     [hl+12], a
        incw    hl
        dec     b
        bnz     $4b
        pop     hl
        ret

; The previous number, and the next one.
previous:
        movw    ax, [hl+AT]
        previous_number AT
        br      $invert
next:
        movw    ax, [hl+AT]
        next_number AT
invert:
        invert_number AT
        ret

double_swap:
        double_swap_halves EXPANDED, EXPANDED+8
        ret
double_swap_back:
        double_swap EXPANDED+8, EXPANDED
        ret

inverse_first_rounds:
        inverse_rounds 1
        call    $!previous
        br      $round0
next_round0:
        call    $!next
round0:
        round_at 0, 4, 8, 12, EXPANDED
next_round1:
        call    $!next
round1:
        round_at 4, 8, 12, 0, EXPANDED+8
next_round2:
        call    $!next
round2:
        round_at 8, 12, 0, 4, EXPANDED, ADDED
next_round3:
        call    $!next
round3:
        round_at 12, 0, 4, 8, EXPANDED+8, ADDED+8

        .include "box0.inc"
        .include "box1.inc"
