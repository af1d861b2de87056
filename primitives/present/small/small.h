/* The S-box, and the function for both directions. */

#ifndef SMALL_H
#define SMALL_H

#include "present.h"

/* The S-box in the low nibbles, its inverse in the high nibbles. */
extern const uint8_t present_sbox[16];

/* Encrypts if `back` is 0, decrypts if it is 1. */
void present_run(const uint8_t *key, const uint8_t text[8], uint8_t result[8], unsigned back);

#endif
