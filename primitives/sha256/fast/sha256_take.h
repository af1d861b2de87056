/* The compression function with its stack depth as result. */

#ifndef SHA256_TAKE_H
#define SHA256_TAKE_H

#include "sha256.h"

/* Adds a block to the state (FIPS 180-4, section 6.2.2). It does not wipe its stack, and returns the stack depth, so
 * that the caller wipes once for all blocks. */
uintptr_t sha256_take(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES]);

#endif
