/* Threefish in the mode of Skein: takes a block, which ends at `position`, into the chain. */

#ifndef COMPRESS_H
#define COMPRESS_H

#include "skein.h"

void SKEIN_NAME(compress)(uint64_t chain[SKEIN_WORDS], const uint8_t *block, uint64_t position,
                          uint32_t type);

#endif
