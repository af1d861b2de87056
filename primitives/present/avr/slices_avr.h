/* Bit-sliced PRESENT in registers, as in common/slices.h: word k holds bit k of all nibbles, in two registers, lower
 * byte first. Macros take words 0 to 3 in this form. r26 is a temporary. */

#ifndef SLICES_AVR_H
#define SLICES_AVR_H

#include "avr.h"

#if PRESENT_KEY_BYTES == 16
#define PRESENT(name) present128_##name
#else
#define PRESENT(name) present80_##name
#endif

#define ROUNDS 31

/* The S-box leaves the last two words swapped. */
#define STRAIGHT r18, r19, r20, r21, r22, r23, r24, r25
#define CROSSED  r18, r19, r20, r21, r24, r25, r22, r23

    .macro  add_and to, a, b
    mov     r26, \a
    and     r26, \b
    eor     \to, r26
    .endm

    .macro  add_or to, a, b
    mov     r26, \a
    or      r26, \b
    eor     \to, r26
    .endm

/* The S-box on one byte of each word. */
    .macro  substitute a, b, c, d
    eor     \b, \c
    add_and \d, \b, \c
    add_and \c, \b, \d
    add_or  \b, \a, \c
    eor     \a, \d
    com     \d
    eor     \c, \d
    eor     \c, \b
    eor     \b, \a
    add_and \d, \b, \c
    .endm

/* Swaps the bits of a at positions p + by with those of b at p, for the positions p of a mask. */
    .macro  exchange a, b, by, places
    mov     r26, \a
    .rept   \by
    lsr     r26
    .endr
    eor     r26, \b
    andi    r26, \places
    eor     \b, r26
    .rept   \by
    lsl     r26
    .endr
    eor     \a, r26
    .endm

/* The same for `by` = 4, half of a byte. */
    .macro  exchange_halves a, b
    mov     r26, \a
    swap    r26
    eor     r26, \b
    andi    r26, 0x0f
    eor     \b, r26
    swap    r26
    eor     \a, r26
    .endm

    .macro  exchange_bytes a, b
    mov     r26, \a
    mov     \a, \b
    mov     \b, r26
    .endm

/* Swaps the pair of index bits that selects the word with the outer pair, or the inner one. */
    .macro  swap_outer a, e, b, f, c, g, d, h
    exchange_bytes \e, \c
    exchange_bytes \f, \d
    exchange_halves \a, \b
    exchange_halves \e, \f
    exchange_halves \c, \d
    exchange_halves \g, \h
    .endm

    .macro  swap_inner a, e, b, f, c, g, d, h
    exchange \a, \c, 2, 0x33
    exchange \e, \g, 2, 0x33
    exchange \b, \d, 2, 0x33
    exchange \f, \h, 2, 0x33
    exchange \a, \b, 1, 0x55
    exchange \e, \f, 1, 0x55
    exchange \c, \d, 1, 0x55
    exchange \g, \h, 1, 0x55
    .endm

/* Swaps the outer pair of index bits with the inner one in a word. */
    .macro  turn a, e
    mov     r26, \e
    lsl     r26
    lsl     r26
    eor     r26, \a
    andi    r26, 0xcc
    eor     \a, r26
    lsr     r26
    lsr     r26
    eor     \e, r26
    turn_byte \a
    turn_byte \e
    .endm

    .macro  turn_byte a
    mov     r26, \a
    lsr     r26
    lsr     r26
    lsr     r26
    eor     r26, \a
    andi    r26, 0x0a
    eor     \a, r26
    lsl     r26
    lsl     r26
    lsl     r26
    eor     \a, r26
    .endm

    .macro  turn_all a, e, b, f, c, g, d, h
    turn    \a, \e
    turn    \b, \f
    turn    \c, \g
    turn    \d, \h
    .endm

/* Loads the quarters of a block from X, highest byte first; and stores them. */
    .macro  load_block a, e, b, f, c, g, d, h
    .irp    one, \h, \d, \g, \c, \f, \b, \e, \a
    ld      \one, X+
    .endr
    .endm

    .macro  store_block a, e, b, f, c, g, d, h
    .irp    one, \h, \d, \g, \c, \f, \b, \e, \a
    st      X+, \one
    .endr
    .endm

#endif
