/* The rounds, which encryption and decryption share. */

#ifndef DES_ROUNDS_H
#define DES_ROUNDS_H

#include "des.h"

/* Encrypts a block with the round keys from index `at` on, in steps of 2 or, for decryption, -2. Returns its stack
 * depth. */
uintptr_t DES_NAME(rounds)(const DES_KEYS *keys, int at, int step, const uint8_t text[DES_BLOCK],
                           uint8_t result[DES_BLOCK]);

#endif
