/* Encryption of a block (FIPS 197, section 5.1): NAME_encrypt(keys, text, result). */

#include "aes_avr.h"

    .macro  add_key a, b, c, d
    ld      r0, Y+
    eor     \a, r0
    ld      r0, Y+
    eor     \b, r0
    ld      r0, Y+
    eor     \c, r0
    ld      r0, Y+
    eor     \d, r0
    .endm

    function AES(encrypt)
    enter   aes_sbox
1:  for_state_by_columns add_key
    substitute_even_rows
    turn_row r10, r14, r18, r22
    turn_row r23, r19, r15, r11
    dec     r27
    brne    3f
    rjmp    2f
3:  for_state_by_columns mix_column
    rjmp    1b
2:  for_state_by_columns add_key
    leave
    end     AES(encrypt)
