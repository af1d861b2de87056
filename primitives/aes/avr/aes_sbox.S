/* The S-box and its inverse in flash memory (FIPS 197, sections 5.1.1 and 5.3.2). */

#include "aes_sbox.h"
#include "avr.h"

#define BYTE(s) s

    table   aes_sbox
    .byte   AES_SBOX(BYTE)
    end     aes_sbox

    table   aes_inverse_sbox
    .byte   AES_INVERSE_SBOX(BYTE)
    end     aes_inverse_sbox
