/* The block function of ChaCha20 (RFC 8439, section 2.3): chacha20_block(input, text, result), which returns 0.
 *
 * The words of the state are on the stack, from Y on. A quarter round holds its four words in registers, lowest byte
 * first: rotations by 16 and 8 bits only rename registers, one by 12 is one by 8 and a multiplication by 16, and one by
 * 7 is one by 8 and back by 1. */

#include "avr.h"

#define BYTES 64
#define DOUBLE_ROUNDS 10

    .macro  load_word word, a, b, c, d
    ldd     \a, Y + 4 * \word
    ldd     \b, Y + 4 * \word + 1
    ldd     \c, Y + 4 * \word + 2
    ldd     \d, Y + 4 * \word + 3
    .endm

    .macro  store_word word, a, b, c, d
    std     Y + 4 * \word, \a
    std     Y + 4 * \word + 1, \b
    std     Y + 4 * \word + 2, \c
    std     Y + 4 * \word + 3, \d
    .endm

/* Rotates a word left by 4 bits, into r21 to r18; r22 is 16. */
    .macro  rotate_by_4 a, b, c, d
    mul     \a, r22
    movw    r18, r0
    mul     \b, r22
    eor     r19, r0
    mov     r20, r1
    mul     \c, r22
    eor     r20, r0
    mov     r21, r1
    mul     \d, r22
    eor     r21, r0
    eor     r18, r1
    .endm

    .macro  rotate_back_by_1 a, b, c, d
    bst     \a, 0
    ror     \d
    ror     \c
    ror     \b
    ror     \a
    bld     \d, 7
    .endm

/* A quarter round with three given words. The first word is in registers before and after it, and stays there for the
 * next quarter round if that begins with it, too. */
    .macro  quarter b, c, d
    load_word \b, r6, r7, r8, r9
    load_word \c, r10, r11, r12, r13
    load_word \d, r14, r15, r16, r17
    rcall   quarter_round
    store_word \b, r21, r18, r19, r20
    store_word \c, r10, r11, r12, r13
    store_word \d, r15, r16, r17, r14
    .endm

    .macro  load_first word
    load_word \word, r2, r3, r4, r5
    .endm

    .macro  store_first word
    store_word \word, r2, r3, r4, r5
    .endm

/* A column round and a diagonal round; the diagonals are ordered so that each round begins with the first word of the
 * quarter round before it. */
    .macro  double_round
    quarter 4, 8, 12
    store_first 0
    load_first 1
    quarter 5, 9, 13
    store_first 1
    load_first 2
    quarter 6, 10, 14
    store_first 2
    load_first 3
    quarter 7, 11, 15
    quarter 4, 9, 14
    store_first 3
    load_first 1
    quarter 6, 11, 12
    store_first 1
    load_first 2
    quarter 7, 8, 13
    store_first 2
    load_first 0
    quarter 5, 10, 15
    .endm

/* Outputs a byte: the sum (`add` or `adc`) of a byte of the state and the initial state, added to the text. */
    .macro  give_byte sum
    pop     r0
    ld      r18, Z+
    \sum    r18, r0
    ld      r19, X+
    eor     r18, r19
    st      Y+, r18
    .endm

    .section .text.chacha20_block, "ax", @progbits
    .type   quarter_round, @function
quarter_round:
    add_32 r2, r3, r4, r5, r6, r7, r8, r9
    xor_32 r14, r15, r16, r17, r2, r3, r4, r5
    add_32 r10, r11, r12, r13, r16, r17, r14, r15
    xor_32 r6, r7, r8, r9, r10, r11, r12, r13
    rotate_by_4 r9, r6, r7, r8
    add_32 r2, r3, r4, r5, r18, r19, r20, r21
    xor_32 r16, r17, r14, r15, r2, r3, r4, r5
    add_32 r10, r11, r12, r13, r15, r16, r17, r14
    xor_32 r18, r19, r20, r21, r10, r11, r12, r13
    rotate_back_by_1 r21, r18, r19, r20
    ret
    end     quarter_round

    function chacha20_block
    push_all r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
/* Pushes the state onto the stack, last byte first. */
    movw    r30, r24
    subi    r30, lo8(-(BYTES))
    sbci    r31, hi8(-(BYTES))
    ldi     r18, BYTES / 8
1:  .rept   8
    ld      r0, -Z
    push    r0
    .endr
    dec     r18
    brne    1b
    in      r28, 0x3d
    in      r29, 0x3e
    adiw    r28, 1
/* During the rounds, X points to the text and Z to the result. */
    movw    r26, r22
    movw    r30, r20
    ldi     r22, 16
    ldi     r23, DOUBLE_ROUNDS
    load_first 0
2:  double_round
    dec     r23
    breq    3f
    rjmp    2b
3:  store_first 0
    movw    r28, r30
    movw    r30, r24
    ldi     r20, BYTES / 4
4:  give_byte add
    give_byte adc
    give_byte adc
    give_byte adc
    dec     r20
    brne    4b
/* Increments the block counter, the word before the nonce. */
    sbiw    r30, 16
    ldi     r18, 1
    clr     r1
    ld      r0, Z
    add     r0, r18
    st      Z+, r0
    .rept   3
    ld      r0, Z
    adc     r0, r1
    st      Z+, r0
    .endr
/* Clears the stack that held the state. */
    in      r30, 0x3d
    in      r31, 0x3e
    adiw    r30, 1
    ldi     r18, BYTES / 8
5:  .rept   8
    st      -Z, r1
    .endr
    dec     r18
    brne    5b
    pop_all r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    wipe_registers
    ret
    end     chacha20_block
