/* The tables for decryption (FIPS 197, sections 5.3.2 and 5.3.3), made of the substitution by the compiler. */

#include "aes_tables.h"
#include "aes_sbox.h"

#define DOUBLED(s) ((uint32_t)((s) << 1 ^ ((s) >> 7) * 0x11b))
#define BY4(s) DOUBLED(DOUBLED(s))
#define BY8(s) DOUBLED(BY4(s))
#define BY9(s) (BY8(s) ^ (s))
#define BY11(s) (BY8(s) ^ DOUBLED(s) ^ (s))
#define BY13(s) (BY8(s) ^ BY4(s) ^ (s))
#define BY14(s) (BY8(s) ^ BY4(s) ^ DOUBLED(s))
#define WORD(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define ROW0(s) WORD(BY14(s), BY9(s), BY13(s), BY11(s))
#define ROW1(s) WORD(BY11(s), BY14(s), BY9(s), BY13(s))
#define ROW2(s) WORD(BY13(s), BY11(s), BY14(s), BY9(s))
#define ROW3(s) WORD(BY9(s), BY13(s), BY11(s), BY14(s))

const uint32_t AES(backward)[4][256] = {
    {AES_INVERSE_SBOX(ROW0)}, {AES_INVERSE_SBOX(ROW1)}, {AES_INVERSE_SBOX(ROW2)}, {AES_INVERSE_SBOX(ROW3)}};
