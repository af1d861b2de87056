/* Threefish in UBI mode: adds a block, which ends at `position`, to the chaining value. It returns its stack depth. */

#ifndef COMPRESS_H
#define COMPRESS_H

#include "skein.h"

uintptr_t SKEIN_NAME(compress)(uint64_t chain[SKEIN_WORDS], const uint8_t *block, uint64_t position,
                               uint32_t type);

#endif
