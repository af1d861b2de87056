/* The compression function (FIPS 180-4, section 6.1.2). It returns its stack depth. */

#ifndef SHA1_COMPRESS_H
#define SHA1_COMPRESS_H

#include "sha1.h"

uintptr_t sha1_compress(uint32_t h[5], const uint8_t block[SHA1_BLOCK]);

#endif
