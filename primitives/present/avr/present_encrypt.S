/* Encryption of a block (Bogdanov and others, CHES 2007, section 3): NAME_encrypt(keys, text, result). */

#include "slices_avr.h"

    .macro  add_key a, e, b, f, c, g, d, h
    .irp    one, \a, \e, \b, \f, \c, \g, \d, \h
    ld      r0, Z+
    eor     \one, r0
    .endr
    .endm

    .macro  key_and_substitute a, e, b, f, c, g, d, h
    add_key \a, \e, \b, \f, \c, \g, \d, \h
    substitute \a, \b, \c, \d
    substitute \e, \f, \g, \h
    .endm

    function PRESENT(encrypt)
    push_all r20, r21
    movw    r30, r24
    movw    r26, r22
    load_block STRAIGHT
    swap_inner STRAIGHT
    ldi     r27, ROUNDS / 2
1:  key_and_substitute STRAIGHT
    swap_outer CROSSED
    key_and_substitute CROSSED
    swap_inner STRAIGHT
    dec     r27
    breq    2f
    rjmp    1b
/* After the last permutation the words hold the quarters of the block, in swapped order. */
2:  key_and_substitute STRAIGHT
    turn_all CROSSED
    add_key CROSSED
    pop_all r27, r26
    store_block CROSSED
    wipe_registers
    ret
    end     PRESENT(encrypt)
