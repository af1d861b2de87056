/* The compression function (FIPS 180-4, section 6.4.2). It returns its stack depth. */

#ifndef COMPRESS_H
#define COMPRESS_H

#include "sha512.h"

uintptr_t SHA512_NAME(compress)(uint64_t state[SHA512_STATE], const uint8_t block[SHA512_BLOCK_BYTES]);

#endif
