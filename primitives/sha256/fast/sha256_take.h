/* The compression of a block where it tells how deep the stack went. */

#ifndef SHA256_TAKE_H
#define SHA256_TAKE_H

#include "sha256.h"

/* Takes a block into the state (FIPS 180-4, section 6.2.2). The stack keeps what it held until that is wiped, once for
 * all blocks; returned is from where. */
uintptr_t sha256_take(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES]);

#endif
