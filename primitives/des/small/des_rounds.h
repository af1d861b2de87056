/* What encryption, decryption and the expansion of keys share. */

#ifndef DES_ROUNDS_H
#define DES_ROUNDS_H

#include "des.h"

/* Encrypts a block with the round keys from place `at` on, up by a `step` of 2 or down by -2. */
void DES_NAME(rounds)(const DES_KEYS *keys, int at, int step, const uint8_t text[DES_BLOCK],
                      uint8_t result[DES_BLOCK]);

/* The bits of a word whose places a table names, the highest first. */
uint32_t DES_NAME(select)(uint32_t word, const uint8_t *places, unsigned size);

#endif
