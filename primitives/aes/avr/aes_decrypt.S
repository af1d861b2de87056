/* Decryption of a block (FIPS 197, section 5.3): NAME_decrypt(keys, text, result). */

#include "aes_avr.h"

/* Adds a column of a round key; round keys and their columns are read backwards. */
    .macro  add_key a, b, c, d
    ld      r0, -Y
    eor     \d, r0
    ld      r0, -Y
    eor     \c, r0
    ld      r0, -Y
    eor     \b, r0
    ld      r0, -Y
    eor     \a, r0
    .endm

    .macro  add_keys
    add_key r20, r22, r21, r23
    add_key r16, r18, r17, r19
    add_key r12, r14, r13, r15
    add_key r8, r10, r9, r11
    .endm

/* Adds four times the sum of two bytes to both of them. */
    .macro  add_fourfold a, b
    mov     r24, \a
    eor     r24, \b
    double  r24
    double  r24
    eor     \a, r24
    eor     \b, r24
    .endm

/* Preprocessing of a column after which MixColumns computes InvMixColumns. */
    .macro  unmix_column a, b, c, d
    add_fourfold \a, \c
    add_fourfold \b, \d
    mix_column \a, \b, \c, \d
    .endm

    function AES(decrypt)
    enter   aes_inverse_sbox
    subi    r28, lo8(-(16 * (AES_ROUNDS + 1)))
    sbci    r29, hi8(-(16 * (AES_ROUNDS + 1)))
    add_keys
1:  substitute_even_rows
    turn_row r22, r18, r14, r10
    turn_row r11, r15, r19, r23
    add_keys
    dec     r27
    brne    3f
    rjmp    2f
3:  for_state_by_columns unmix_column
    rjmp    1b
2:  leave
    end     AES(decrypt)
