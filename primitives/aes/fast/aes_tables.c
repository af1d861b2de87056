/* The tables for encryption (FIPS 197, sections 5.1.1 and 5.1.3), which the compiler computes from the S-box. */

#include "aes_tables.h"
#include "aes_products.h"
#include "aes_sbox.h"

#define ROW1(s) WORD(BY3(s), BY2(s), s, s)
#define ROW2(s) WORD(s, BY3(s), BY2(s), s)
#define ROW3(s) WORD(s, s, BY3(s), BY2(s))

const uint32_t AES(forward)[4][256] = {
    {AES_SBOX(MIXED)}, {AES_SBOX(ROW1)}, {AES_SBOX(ROW2)}, {AES_SBOX(ROW3)}};
