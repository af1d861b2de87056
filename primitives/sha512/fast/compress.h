/* The compression of a block (FIPS 180-4, section 6.4.2). It tells how deep the stack went. */

#ifndef COMPRESS_H
#define COMPRESS_H

#include "sha512.h"

uintptr_t SHA512_NAME(compress)(uint64_t state[SHA512_STATE], const uint8_t block[SHA512_BLOCK_BYTES]);

#endif
