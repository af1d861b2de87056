/* The tables for encryption (FIPS 197, sections 5.1.1 and 5.1.3), made of the substitution by the compiler; and
 * the constants of the key expansion (section 5.2). */

#include "aes_tables.h"
#include "aes_sbox.h"

#define DOUBLED(s) ((uint32_t)((s) << 1 ^ ((s) >> 7) * 0x11b))
#define WORD(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define ROW0(s) WORD(DOUBLED(s), s, s, DOUBLED(s) ^ (s))
#define ROW1(s) WORD(DOUBLED(s) ^ (s), DOUBLED(s), s, s)
#define ROW2(s) WORD(s, DOUBLED(s) ^ (s), DOUBLED(s), s)
#define ROW3(s) WORD(s, s, DOUBLED(s) ^ (s), DOUBLED(s))
#define BYTE(s) s

const uint32_t AES(forward)[4][256] = {
    {AES_SBOX(ROW0)}, {AES_SBOX(ROW1)}, {AES_SBOX(ROW2)}, {AES_SBOX(ROW3)}};

const uint8_t AES(sbox)[256] = {AES_SBOX(BYTE)};

/* Powers of two in the field, as many as fill whole words; ten are used. */
const uint8_t AES(constants)[12] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36, 0x6c, 0xd8};
