/* The S-box as a table, and the round constants (FIPS 197, sections 5.1.1 and 5.2). */

#include "aes_words.h"
#include "aes_sbox.h"

#define BYTE(s) s

const uint8_t AES(sbox)[256] = {AES_SBOX(BYTE)};

/* Powers of two in GF(2^8), padded to whole words; ten are used. */
const uint8_t AES(constants)[12] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36, 0x6c, 0xd8};
