/* Tables that hold SubBytes and MixColumns of a byte in one word, for each of the four rows; and back. */

#ifndef AES_TABLES_H
#define AES_TABLES_H

#include "aes.h"

extern const uint32_t AES(forward)[4][256];
extern const uint32_t AES(backward)[4][256];
extern const uint8_t  AES(sbox)[256];

/* Byte n of a word, from the lowest on. */
#define AES_BYTE(word, n) ((word) >> (8 * (n)) & 0xff)

#endif
