/* The tables for decryption (FIPS 197, sections 5.3.2 and 5.3.3), which the compiler computes from the inverse
 * S-box. */

#include "aes_tables.h"
#include "aes_products.h"
#include "aes_sbox.h"

#define ROW1(s) WORD(BY11(s), BY14(s), BY9(s), BY13(s))
#define ROW2(s) WORD(BY13(s), BY11(s), BY14(s), BY9(s))
#define ROW3(s) WORD(BY9(s), BY13(s), BY11(s), BY14(s))

const uint32_t AES(backward)[4][256] = {
    {AES_INVERSE_SBOX(UNMIXED)}, {AES_INVERSE_SBOX(ROW1)}, {AES_INVERSE_SBOX(ROW2)}, {AES_INVERSE_SBOX(ROW3)}};
