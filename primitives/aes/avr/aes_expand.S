/* Key expansion (FIPS 197, section 5.2): NAME_expand(keys, key). */

#include "aes_avr.h"

    .macro  substitute_word
    substitute r20, r20
    substitute r21, r21
    substitute r22, r22
    substitute r23, r23
    .endm

/* Computes the next word: the previous word plus the word AES_KEY_WORDS before the new one. */
    .macro  next_word
    .irp    byte, r20, r21, r22, r23
    ld      r0, Y+
    eor     \byte, r0
    st      X+, \byte
    .endr
    .endm

    function AES(expand)
    push_all r28, r29
    movw    r28, r24
    movw    r30, r24
    movw    r26, r22
    ldi     r18, AES_KEY_WORDS
1:  ld      r20, X+
    ld      r21, X+
    ld      r22, X+
    ld      r23, X+
    .irp    byte, r20, r21, r22, r23
    st      Z+, \byte
    .endr
    dec     r18
    brne    1b
/* X points to the next word, Y to the word AES_KEY_WORDS before it; r18 counts groups of AES_KEY_WORDS words, and r25
 * is the round constant. */
    movw    r26, r30
    ldi     r31, hi8(aes_sbox)
    ldi     r18, (4 * (AES_ROUNDS + 1) - 1) / AES_KEY_WORDS
    ldi     r25, 1
2:  mov     r24, r20
    substitute r20, r21
    substitute r21, r22
    substitute r22, r23
    substitute r23, r24
    eor     r20, r25
    lsl     r25
    brcc    3f
    ldi     r25, 0x1b
3:  .rept   4
    next_word
    .endr
    dec     r18
    breq    4f
#if AES_KEY_WORDS == 6
    .rept   2
    next_word
    .endr
#elif AES_KEY_WORDS == 8
    substitute_word
    .rept   4
    next_word
    .endr
#endif
    rjmp    2b
4:  pop_all r29, r28
    wipe_registers
    ret
    end     AES(expand)
