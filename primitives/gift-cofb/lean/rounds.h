/* A round of GIFT-128 without its constant. */

#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdint.h>

void gift_round(uint32_t block[4], const uint32_t key[4], unsigned step);

#endif
