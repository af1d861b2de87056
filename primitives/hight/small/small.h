/* Functions that encryption and decryption share. */

#ifndef SMALL_H
#define SMALL_H

#include "hight.h"

/* Encrypts if `back` is 0; decrypts if all its bits are 1. */
void hight_run(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8], unsigned back);

/* Copies a block, rotated by `out` bytes, to one rotated by `in` bytes, and whitens it. Returns its stack depth. */
uintptr_t hight_move(uint8_t to[8], unsigned in, const uint8_t from[8], unsigned out, const uint8_t key[4],
                     unsigned back);

#endif
