/* Key expansion (FIPS 197, section 5.2): NAME_expand(keys, key). */

#include "aes_avr.h"

    .macro  substitute_word
    substitute r20, r20
    substitute r21, r21
    substitute r22, r22
    substitute r23, r23
    .endm

/* Adds byte i of the word as many words before as the key has. */
    .macro  add_former byte, i
    ldd     r0, Y + \i
    eor     \byte, r0
    std     Y + AES_KEY_BYTES + \i, \byte
    .endm

    function AES(expand)
    push_all r28, r29
    movw    r28, r24
    movw    r30, r24
    movw    r26, r22
    ldi     r18, AES_KEY_BYTES
1:  ld      r0, X+
    st      Z+, r0
    dec     r18
    brne    1b
/* r23 to r20 are the word before, r18 counts words, r19 those up to the next substitution, and r25 is the constant. */
    sbiw    r30, 4
    ld      r20, Z+
    ld      r21, Z+
    ld      r22, Z+
    ld      r23, Z
    ldi     r31, hi8(aes_sbox)
    ldi     r18, 4 * (AES_ROUNDS + 1) - AES_KEY_WORDS
    ldi     r19, 1
    ldi     r25, 1
2:  dec     r19
    brne    4f
    ldi     r19, AES_KEY_WORDS
    mov     r24, r20
    substitute r20, r21
    substitute r21, r22
    substitute r22, r23
    substitute r23, r24
    eor     r20, r25
    lsl     r25
    brcc    5f
    ldi     r25, 0x1b
4:
#if AES_KEY_WORDS == 8
    cpi     r19, 4
    brne    5f
    substitute_word
#endif
5:  add_former r20, 0
    add_former r21, 1
    add_former r22, 2
    add_former r23, 3
    adiw    r28, 4
    dec     r18
    brne    2b
    pop_all r29, r28
    wipe_registers
    ret
    end     AES(expand)
