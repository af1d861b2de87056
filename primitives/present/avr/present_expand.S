/* The key schedule (Bogdanov and others, CHES 2007, section 3 and appendix II): NAME_expand(keys, key).
 *
 * Round keys are bit-sliced, every second one with outer and inner index bits swapped; the last one has the bit order
 * of the block. The key is in registers from r2 on, lowest byte first. */

#include "slices_avr.h"

/* The key from its highest byte down, and from its lowest byte up; the highest byte, and the mask of its nibbles that
 * go through the S-box. */
#if PRESENT_KEY_BYTES == 16
#define KEY     r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
#define KEPT    r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
#define TOP     r17
#define NIBBLES 0x11
#else
#define KEY     r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
#define KEPT    r2, r3, r4, r5, r6, r7, r8, r9, r10, r11
#define TOP     r11
#define NIBBLES 0x10
#endif

    .macro  take_highest
#if PRESENT_KEY_BYTES == 16
    movw    r18, r10
    movw    r20, r12
    movw    r22, r14
    movw    r24, r16
#else
    movw    r18, r4
    movw    r20, r6
    movw    r22, r8
    movw    r24, r10
#endif
    .endm

    .macro  exchange_words a, b
    movw    r18, \a
    movw    \a, \b
    movw    \b, r18
    .endm

/* Rotates the key left by 61 bits: by eight bytes, and back by three bits. */
    .macro  rotate_key
#if PRESENT_KEY_BYTES == 16
    exchange_words r2, r10
    exchange_words r4, r12
    exchange_words r6, r14
    exchange_words r8, r16
#else
    movw    r18, r2
    movw    r2, r4
    movw    r4, r6
    movw    r6, r8
    movw    r8, r10
    movw    r10, r18
#endif
    .rept   3
    bst     r2, 0
    .irp    one, KEY
    ror     \one
    .endr
    bld     TOP, 7
    .endr
    .endm

/* Adds the round number, in r27, to the middle of the key. */
    .macro  add_number
    mov     r18, r27
    clr     r19
    lsr     r18
    ror     r19
#if PRESENT_KEY_BYTES == 16
    lsr     r18
    ror     r19
    eor     r10, r18
    eor     r9, r19
#else
    eor     r4, r18
    eor     r3, r19
#endif
    .endm

/* Collects one bit of each nibble from the bit-sliced words. */
    .macro  put_bit from, place
    andi    \from, NIBBLES
    .rept   \place
    lsl     \from
    .endr
    or      TOP, \from
    .endm

    .macro  substitute_top
    mov     r18, TOP
    mov     r19, TOP
    lsr     r19
    mov     r20, r19
    lsr     r20
    mov     r21, r20
    lsr     r21
    substitute r18, r19, r20, r21
    ldi     r26, 0xff ^ (15 * NIBBLES)
    and     TOP, r26
    put_bit r18, 0
    put_bit r19, 1
    put_bit r21, 2
    put_bit r20, 3
    .endm

    .macro  give_highest
    .irp    one, STRAIGHT
    st      Z+, \one
    .endr
    .endm

    function PRESENT(expand)
    push_all KEPT
    movw    r30, r24
    movw    r26, r22
    .irp    one, KEY
    ld      \one, X+
    .endr
    ldi     r27, 1
1:  take_highest
    swap_inner STRAIGHT
    sbrc    r27, 0
    rjmp    2f
    turn_all STRAIGHT
2:  give_highest
    rotate_key
    substitute_top
    add_number
    inc     r27
    cpi     r27, ROUNDS + 1
    breq    3f
    rjmp    1b
3:  take_highest
    give_highest
    pop_all KEY
    wipe_registers
    ret
    end     PRESENT(expand)
