/* What encryption, decryption and the expansion of keys share. */

#ifndef DES_ROUNDS_H
#define DES_ROUNDS_H

#include "des.h"

/* Encrypts a block with the round keys from place `at` on, up by a `step` of 2 or down by -2. Tells
 * how deep the stack went. */
uintptr_t DES_NAME(rounds)(const DES_KEYS *keys, int at, int step, const uint8_t text[DES_BLOCK],
                           uint8_t result[DES_BLOCK]);

#endif
