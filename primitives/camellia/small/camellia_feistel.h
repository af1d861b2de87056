/* The round, which encryption and key schedule share (RFC 3713, section 2.3.1). */

#ifndef CAMELLIA_FEISTEL_H
#define CAMELLIA_FEISTEL_H

#include "camellia.h"

/* Adds F of the left half to the right one, and swaps them. */
uintptr_t CAMELLIA(feistel)(uint32_t state[4], uint32_t key_left, uint32_t key_right);

#endif
