/* Decryption of a block (Bogdanov and others, CHES 2007, section 3): NAME_decrypt(keys, text, result). */

#include "slices_avr.h"

/* Adds a round key; round keys are read backwards. */
    .macro  add_key a, e, b, f, c, g, d, h
    .irp    one, \h, \d, \g, \c, \f, \b, \e, \a
    ld      r0, -Z
    eor     \one, r0
    .endr
    .endm

/* The inverse S-box on one byte of each word; the last two words come in swapped. */
    .macro  unsubstitute a, b, c, d
    add_and \d, \b, \c
    eor     \b, \a
    eor     \c, \b
    eor     \c, \d
    com     \d
    eor     \a, \d
    add_or  \b, \a, \c
    add_and \c, \b, \d
    add_and \d, \b, \c
    eor     \b, \c
    .endm

    .macro  unsubstitute_and_key a, e, b, f, c, g, d, h
    unsubstitute \a, \b, \c, \d
    unsubstitute \e, \f, \g, \h
    add_key \a, \e, \b, \f, \c, \g, \d, \h
    .endm

    function PRESENT(decrypt)
    push_all r20, r21
    movw    r30, r24
    subi    r30, lo8(-(8 * (ROUNDS + 1)))
    sbci    r31, hi8(-(8 * (ROUNDS + 1)))
    movw    r26, r22
    load_block STRAIGHT
    add_key STRAIGHT
    turn_all STRAIGHT
    unsubstitute_and_key CROSSED
    ldi     r27, ROUNDS / 2
1:  swap_inner CROSSED
    unsubstitute_and_key STRAIGHT
    swap_outer STRAIGHT
    unsubstitute_and_key CROSSED
    dec     r27
    breq    2f
    rjmp    1b
2:  swap_inner CROSSED
    pop_all r27, r26
    store_block CROSSED
    wipe_registers
    ret
    end     PRESENT(decrypt)
