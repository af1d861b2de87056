/* The compression function (FIPS 180-4, section 6.2.2): sha256_take(state, block), which returns 0.
 *
 * Of the eight working variables, a to d are the last four values of a, and e to h those of e: a round computes one of
 * each, and the others only change their names. So the stack has a window of four pairs, which moves down by a pair in
 * each round. A word is four registers, lowest byte first; a rotation by whole bytes only renames them. */

#include "avr.h"

#define A      r2, r3, r4, r5
#define E      r6, r7, r8, r9
#define SUM    r10, r11, r12, r13
/* b + c in GF(2), which was a + b in the previous round. */
#define SAME   r14, r15, r16, r17
#define FIRST  r18, r19, r20, r21
#define SECOND r22, r23, r24, r25

/* A word rotated right by the given number of bytes. */
#define ROTATE(a, b, c, d) b, c, d, a
#define TURN1(...) ROTATE(__VA_ARGS__)
#define TURN2(...) TURN1(TURN1(__VA_ARGS__))
#define TURN3(...) TURN1(TURN2(__VA_ARGS__))

/* The frame: sixteen words of the message schedule with room for sixteen more, and the window with room for sixteen
 * rounds. */
#define ROUNDS  16
#define PAIR    8
#define WINDOW  (4 * PAIR)
#define WORDS   (4 * ROUNDS)
#define FRAME   (2 * WORDS + ROUNDS * PAIR + WINDOW)

#define SP_LOW  0x3d
#define SP_HIGH 0x3e
#define STATUS  0x3f

    .macro  load_word pointer, at, a, b, c, d
    ldd     \a, \pointer + \at
    ldd     \b, \pointer + \at + 1
    ldd     \c, \pointer + \at + 2
    ldd     \d, \pointer + \at + 3
    .endm

    .macro  store_word pointer, at, a, b, c, d
    std     \pointer + \at, \a
    std     \pointer + \at + 1, \b
    std     \pointer + \at + 2, \c
    std     \pointer + \at + 3, \d
    .endm

    .macro  copy_word a, b, c, d, e, f, g, h
    movw    \a, \e
    movw    \c, \g
    .endm

    .macro  rotate_right a, b, c, d
    bst     \a, 0
    ror     \d
    ror     \c
    ror     \b
    ror     \a
    bld     \d, 7
    .endm

/* Rotates a word left by one bit; r0 is 0. */
    .macro  rotate_left a, b, c, d
    lsl     \a
    rol     \b
    rol     \c
    rol     \d
    adc     \a, r0
    .endm

/* Adds a byte of Ch by `add` or `adc`: eor and `and` preserve the carry. */
    .macro  choose sum, to, e, i
    ldd     r18, Y + PAIR + 4 + \i
    ldd     r0, Y + 2 * PAIR + 4 + \i
    eor     r18, r0
    and     r18, \e
    eor     r18, r0
    \sum    \to, r18
    .endm

/* Adds a byte of Maj in the same way. */
    .macro  majority sum, to, a, same, i
    ldd     r18, Y + PAIR + \i
    mov     r0, \a
    eor     r0, r18
    and     \same, r0
    eor     \same, r18
    \sum    \to, \same
    mov     \same, r0
    .endm

    .macro  add_sum1
    copy_word FIRST, E
    copy_word SECOND, E
    rotate_right TURN1(FIRST)
    rotate_right TURN1(FIRST)
    xor_32 TURN1(FIRST), TURN3(E)
    rotate_right TURN1(FIRST)
    clr     r0
    rotate_left TURN1(SECOND)
    rotate_left TURN1(SECOND)
    xor_32 FIRST, SECOND
    add_32 SUM, TURN1(FIRST)
    .endm

    .macro  add_sum0
    copy_word FIRST, A
    copy_word SECOND, A
    rotate_left TURN2(FIRST)
    xor_32 TURN2(FIRST), TURN3(A)
    rotate_left TURN2(FIRST)
    rotate_left TURN2(FIRST)
    rotate_right SECOND
    rotate_right SECOND
    xor_32 TURN2(FIRST), SECOND
    add_32 SUM, TURN2(FIRST)
    .endm

/* Loads bytes from another address, and adds them to SUM. */
    .macro  add_through load, from
    \load   r0, \from
    add     r10, r0
    \load   r0, \from
    adc     r11, r0
    \load   r0, \from
    adc     r12, r0
    \load   r0, \from
    adc     r13, r0
    .endm

    .macro  round
    load_word Y, 3 * PAIR + 4, SUM
    add_through lpm, Z+
    add_through ld, X+
    choose  add, r10, r6, 0
    choose  adc, r11, r7, 1
    choose  adc, r12, r8, 2
    choose  adc, r13, r9, 3
    add_sum1
    load_word Y, 3 * PAIR, E
    add_32 E, SUM
    add_sum0
    majority add, r10, r2, r14, 0
    majority adc, r11, r3, r15, 1
    majority adc, r12, r4, r16, 2
    majority adc, r13, r5, r17, 3
    copy_word A, SUM
    sbiw    r28, PAIR
    store_word Y, 0, A
    store_word Y, 4, E
    .endm

/* Adds sigma0 of the next word of the schedule. A shift is a rotation of a word with bits cleared first. */
    .macro  add_sigma0
    load_word Y, 4, SECOND
    copy_word FIRST, SECOND
    andi    r18, 0xf8
    lsr     r21
    ror     r20
    ror     r19
    ror     r18
    xor_32 FIRST, TURN2(SECOND)
    rotate_right FIRST
    rotate_right FIRST
    clr     r0
    rotate_left TURN1(SECOND)
    xor_32 FIRST, TURN1(SECOND)
    add_32 SUM, FIRST
    .endm

/* Adds sigma1 of the word fourteen positions ahead. */
    .macro  add_sigma1
    load_word Y, 14 * 4, SECOND
    copy_word FIRST, SECOND
    rotate_right TURN2(FIRST)
    mov     r0, r23
    andi    r23, 0xfc
    eor     r20, r23
    eor     r21, r24
    eor     r18, r25
    mov     r23, r0
    rotate_right TURN2(FIRST)
    xor_32 FIRST, SECOND
    rotate_right TURN2(FIRST)
    add_32 SUM, TURN2(FIRST)
    .endm

/* Computes the next word of the schedule, and stores it in place of the first one and after the last one. */
    .macro  schedule
    load_word Y, 0, SUM
    load_word Y, 9 * 4, FIRST
    add_32 SUM, FIRST
    add_sigma0
    add_sigma1
    store_word Y, 0, SUM
    st      X+, r10
    st      X+, r11
    st      X+, r12
    st      X+, r13
    adiw    r28, 4
    .endm

/* Repeats the following code sixteen times, counted in r1. */
    .macro  sixteen_times
    ldi     r18, ROUNDS
    mov     r1, r18
    .endm

/* Sets Y to the first byte of the frame. */
    .macro  to_frame
    in      r28, SP_LOW
    in      r29, SP_HIGH
    adiw    r28, 1
    .endm

    .macro  move_stack
    in      r0, STATUS
    cli
    out     SP_HIGH, r29
    out     STATUS, r0
    out     SP_LOW, r28
    .endm

    .macro  advance low, high, bytes
    subi    \low, lo8(-(\bytes))
    sbci    \high, hi8(-(\bytes))
    .endm

    function sha256_take
    push_all r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29, r24, r25
    in      r28, SP_LOW
    in      r29, SP_HIGH
    subi    r28, lo8(FRAME)
    sbci    r29, hi8(FRAME)
    move_stack
    adiw    r28, 1
/* Converts the block to words. */
    movw    r26, r22
    movw    r30, r28
    sixteen_times
1:  ld      r21, X+
    ld      r20, X+
    ld      r19, X+
    ld      r18, X+
    store_word Z, 0, FIRST
    adiw    r30, 4
    dec     r1
    brne    1b
/* Copies the state to the window. */
    advance r28, r29, (FRAME - WINDOW)
    movw    r30, r24
    ldi     r22, 4
2:  load_word Z, 0, A
    load_word Z, 16, E
    store_word Y, 0, A
    store_word Y, 4, E
    adiw    r28, PAIR
    adiw    r30, 4
    dec     r22
    brne    2b
    sbiw    r28, WINDOW
    load_word Y, 0, A
    load_word Y, 4, E
    load_word Y, PAIR, SAME
    load_word Y, (2 * PAIR), SUM
    xor_32 SAME, SUM
    ldi     r30, 0
    ldi     r31, hi8(sha256_constants)
    in      r26, SP_LOW
    in      r27, SP_HIGH
    adiw    r26, 1
    rjmp    5f
/* Moves the window to the top again, and extends the schedule. */
3:  movw    r26, r28
    advance r26, r27, (ROUNDS * PAIR)
    ldi     r18, WINDOW / 8
4:  .rept   8
    ld      r0, Y+
    st      X+, r0
    .endr
    dec     r18
    brne    4b
    to_frame
    movw    r26, r28
    advance r26, r27, WORDS
    sixteen_times
6:  schedule
    dec     r1
    breq    7f
    rjmp    6b
7:  movw    r26, r28
    subi    r26, lo8(WORDS)
    sbci    r27, hi8(WORDS)
    advance r28, r29, (FRAME - WINDOW - WORDS)
5:  sixteen_times
8:  round
    dec     r1
    breq    9f
    rjmp    8b
/* The end of the constants, at which the low byte of the address is 0 again. */
9:  tst     r30
    breq    10f
    rjmp    3b
/* The state is above the frame. */
10: movw    r30, r28
    advance r30, r31, (ROUNDS * PAIR + WINDOW)
    ld      r27, Z+
    ld      r26, Z
    movw    r30, r26
    ldi     r18, 4
    mov     r14, r18
11: load_word Y, 0, FIRST
    load_word Z, 0, SUM
    add_32 SUM, FIRST
    store_word Z, 0, SUM
    load_word Y, 4, FIRST
    load_word Z, 16, SUM
    add_32 SUM, FIRST
    store_word Z, 16, SUM
    adiw    r28, PAIR
    adiw    r30, 4
    dec     r14
    brne    11b
/* Clears and releases the frame. */
    to_frame
    ldi     r18, FRAME / 16
12: .rept   16
    st      Y+, r1
    .endr
    dec     r18
    brne    12b
    sbiw    r28, 1
    move_stack
    pop_all r25, r24, r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    wipe_registers
    ret
    end     sha256_take

    table   sha256_constants
    .long   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
    .long   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
    .long   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
    .long   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
    .long   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
    .long   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
    .long   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
    .long   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
    end     sha256_constants
