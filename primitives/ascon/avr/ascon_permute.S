/* The Ascon permutation (NIST SP 800-232, section 3): ascon_permute(state, rounds), which returns 0.
 *
 * Y points to the state, of which S4 stays in registers between rounds. A word is eight registers, lowest byte first; a
 * rotation by whole bytes only renames them. Other rotations are by single bits; terms that are added to a sum before
 * its last such rotation are rotated with it. r1 is 0. */

#include "avr.h"

/* S4, a working word, and a sum. */
#define HELD r2, r3, r4, r5, r6, r7, r8, r9
#define WORD r10, r11, r12, r13, r14, r15, r16, r17
#define SUM  r18, r19, r20, r21, r22, r23, r24, r25

/* A word rotated right by the given number of bytes. */
#define ROTATE(a, b, c, d, e, f, g, h) b, c, d, e, f, g, h, a
#define TURN1(...) ROTATE(__VA_ARGS__)
#define TURN2(...) TURN1(TURN1(__VA_ARGS__))
#define TURN3(...) TURN1(TURN2(__VA_ARGS__))
#define TURN5(...) TURN2(TURN3(__VA_ARGS__))

#define LAST_CONSTANT 0x3c
#define STEP          15

    .macro  load_word word, a, b, c, d, e, f, g, h
    ldd     \a, Y + 8 * \word
    ldd     \b, Y + 8 * \word + 1
    ldd     \c, Y + 8 * \word + 2
    ldd     \d, Y + 8 * \word + 3
    ldd     \e, Y + 8 * \word + 4
    ldd     \f, Y + 8 * \word + 5
    ldd     \g, Y + 8 * \word + 6
    ldd     \h, Y + 8 * \word + 7
    .endm

    .macro  store_word word, a, b, c, d, e, f, g, h
    std     Y + 8 * \word, \a
    std     Y + 8 * \word + 1, \b
    std     Y + 8 * \word + 2, \c
    std     Y + 8 * \word + 3, \d
    std     Y + 8 * \word + 4, \e
    std     Y + 8 * \word + 5, \f
    std     Y + 8 * \word + 6, \g
    std     Y + 8 * \word + 7, \h
    .endm

/* `copy_word` copies the second word into the first, `add_word` adds it. */
    .macro  copy_word a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
    movw    \a, \i
    movw    \c, \k
    movw    \e, \m
    movw    \g, \o
    .endm

    .macro  add_word a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
    eor     \a, \i
    eor     \b, \j
    eor     \c, \k
    eor     \d, \l
    eor     \e, \m
    eor     \f, \n
    eor     \g, \o
    eor     \h, \p
    .endm

    .macro  rotate_right a, b, c, d, e, f, g, h
    bst     \a, 0
    ror     \h
    ror     \g
    ror     \f
    ror     \e
    ror     \d
    ror     \c
    ror     \b
    ror     \a
    bld     \h, 7
    .endm

    .macro  rotate_left a, b, c, d, e, f, g, h
    lsl     \a
    rol     \b
    rol     \c
    rol     \d
    rol     \e
    rol     \f
    rol     \g
    rol     \h
    adc     \a, r1
    .endm

/* The S-box of section 3.3 on byte i of all words. The byte of S4 comes in register `s4`, which receives that of S2;
 * `s0` receives that of S0. `constant`, the round constant or r1 for 0, is added to S2. */
    .macro  substitute i, s4, s0, constant
    ldd     r18, Y + \i
    ldd     r19, Y + 8 + \i
    ldd     \s0, Y + 16 + \i
    ldd     r20, Y + 24 + \i
    eor     \s0, \constant
    mov     r21, r19
    eor     r21, \s0
    mov     r22, r18
    eor     r22, \s4
    mov     r23, r20
    eor     r23, \s4
    or      r19, r22
    eor     r19, r23
    or      r18, r23
    eor     r18, r21
    and     \s4, r23
    eor     \s4, r21
    com     \s4
    eor     r20, \s0
    or      r20, r21
    eor     r20, r22
    and     \s0, r21
    eor     \s0, r19
    eor     r19, r22
    std     Y + 8 + \i, r20
    std     Y + 24 + \i, r18
    std     Y + 32 + \i, r19
    .endm

    function ascon_permute
    push_all r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw    r28, r24
/* r30 is the round constant. */
    ldi     r30, LAST_CONSTANT
1:  subi    r30, lo8(-(STEP))
    dec     r22
    brne    1b
    load_word 4, HELD
2:  substitute 0, r2, r10, r30
    substitute 1, r3, r11, r1
    substitute 2, r4, r12, r1
    substitute 3, r5, r13, r1
    substitute 4, r6, r14, r1
    substitute 5, r7, r15, r1
    substitute 6, r8, r16, r1
    substitute 7, r9, r17, r1
/* Linear layer on S0: rotations by 19 and 28. */
    copy_word SUM, WORD
    rotate_right TURN3(SUM)
    add_word TURN3(SUM), TURN2(WORD)
    rotate_right TURN3(SUM)
    rotate_right TURN3(SUM)
    rotate_right TURN3(SUM)
    add_word WORD, TURN3(SUM)
    store_word 0, WORD
/* Linear layer on S2: rotations by 1 and 6. */
    copy_word SUM, HELD
    copy_word WORD, HELD
    rotate_left TURN1(SUM)
    rotate_left TURN1(SUM)
    rotate_right WORD
    add_word HELD, TURN1(SUM)
    add_word HELD, WORD
    store_word 2, HELD
/* Linear layer on S1: rotations by 61 and 39. */
    load_word 1, WORD
    copy_word SUM, WORD
    rotate_left SUM
    rotate_left SUM
    add_word SUM, TURN5(WORD)
    rotate_left SUM
    add_word WORD, SUM
    store_word 1, WORD
/* Linear layer on S3: rotations by 10 and 17. */
    load_word 3, WORD
    copy_word SUM, WORD
    rotate_right TURN1(SUM)
    add_word TURN1(SUM), TURN2(WORD)
    rotate_right TURN1(SUM)
    add_word WORD, TURN1(SUM)
    store_word 3, WORD
/* Linear layer on S4: rotations by 7 and 41. */
    load_word 4, HELD
    copy_word SUM, HELD
    copy_word WORD, HELD
    rotate_left TURN1(SUM)
    rotate_right TURN5(WORD)
    add_word HELD, TURN1(SUM)
    add_word HELD, TURN5(WORD)
    subi    r30, STEP
    cpi     r30, LAST_CONSTANT
    breq    3f
    rjmp    2b
3:  store_word 4, HELD
    pop_all r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    wipe_registers
    ret
    end     ascon_permute
