/* What encryption and decryption share. */

#ifndef SMALL_H
#define SMALL_H

#include "hight.h"

/* Encrypts where `back` is 0; decrypts where all its bits are 1. */
void hight_run(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8], unsigned back);

/* Moves a block from where it is turned by `out` places to where it is turned by `in`, and whitens it. Tells how
 * deep the stack went. */
uintptr_t hight_move(uint8_t to[8], unsigned in, const uint8_t from[8], unsigned out, const uint8_t key[4],
                     unsigned back);

#endif
