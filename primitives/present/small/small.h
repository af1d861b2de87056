/* What the functions of the block cipher share. */

#ifndef SMALL_H
#define SMALL_H

#include "present.h"

/* The substitution in the low half of a byte, its inverse in the high half. */
extern const uint8_t present_sbox[16];

/* Encrypts, or decrypts where `back` is 1 instead of 0. */
void present_run(const uint8_t *key, const uint8_t text[8], uint8_t result[8], unsigned back);

#endif
