/* AES on AVR: the state in sixteen registers, and the steps of a round on it (FIPS 197, section 5).
 *
 * In each column the bytes of rows 0 and 2 are in neighbouring registers, and those of rows 1 and 3, so that `movw`
 * copies both: column c is r(8 + 4 c) to r(11 + 4 c), as rows 0, 2, 1, 3. Z points to the S-box or its inverse, r1 is
 * 0x1b, and r27 counts rounds. */

#ifndef AES_AVR_H
#define AES_AVR_H

#include "avr.h"

#if AES_KEY_BYTES == 16
#define AES(name) aes128_##name
#elif AES_KEY_BYTES == 24
#define AES(name) aes192_##name
#else
#define AES(name) aes256_##name
#endif

#define AES_KEY_WORDS (AES_KEY_BYTES / 4)
#define AES_ROUNDS (AES_KEY_WORDS + 6)

    .macro  for_state_by_columns what
    \what   r8, r10, r9, r11
    \what   r12, r14, r13, r15
    \what   r16, r18, r17, r19
    \what   r20, r22, r21, r23
    .endm

    .macro  load_column a, b, c, d
    ld      \a, X+
    ld      \b, X+
    ld      \c, X+
    ld      \d, X+
    .endm

    .macro  store_column a, b, c, d
    st      X+, \a
    st      X+, \b
    st      X+, \c
    st      X+, \d
    .endm

    .macro  substitute to, from
    mov     r30, \from
    lpm     \to, Z
    .endm

/* SubBytes and ShiftRows of a row: substitutes its bytes and rotates them by one column, to the left in the order of
 * the arguments. */
    .macro  turn_row a, b, c, d
    mov     r0, \a
    substitute \a, \b
    substitute \b, \c
    substitute \c, \d
    substitute \d, r0
    .endm

    .macro  exchange_substituted a, b
    mov     r0, \a
    substitute \a, \b
    substitute \b, r0
    .endm

/* SubBytes and ShiftRows of rows 0 and 2, whose rotations are the same in both directions. */
    .macro  substitute_even_rows
    substitute r8, r8
    substitute r12, r12
    substitute r16, r16
    substitute r20, r20
    exchange_substituted r9, r17
    exchange_substituted r13, r21
    .endm

/* Doubles a byte in GF(2^8), in three cycles whether the polynomial is added or not. */
    .macro  double a
    lsl     \a
    brcc    9f
    eor     \a, r1
9:
    .endm

/* MixColumns: each byte becomes the sum of itself, of all four bytes, and of the double of itself plus the next byte.
 * MixColumns preserves the sum of the four bytes, which gives the last byte from the other three. */
    .macro  mix_column a, b, c, d
    movw    r24, \a
    eor     r24, \b
    eor     r25, \d
    mov     r26, \b
    eor     r26, \c
    mov     \d, r24
    eor     \d, r25
    eor     \a, \d
    eor     \b, \d
    eor     \c, \d
    double  r24
    double  r25
    double  r26
    eor     \a, r24
    eor     \b, r26
    eor     \c, r25
    eor     \d, \a
    eor     \d, \b
    eor     \d, \c
    .endm

/* Saves the call-saved registers, loads the text into the state, and sets Y to the round keys; the address of the
 * result stays on the stack. */
    .macro  enter table
    push_all r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29, r20, r21
    movw    r28, r24
    movw    r26, r22
    ldi     r31, hi8(\table)
    ldi     r24, 0x1b
    mov     r1, r24
    for_state_by_columns load_column
    ldi     r27, AES_ROUNDS
    .endm

    .macro  leave
    pop_all r27, r26
    for_state_by_columns store_column
    pop_all r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8
    wipe_registers
    ret
    .endm

#endif
