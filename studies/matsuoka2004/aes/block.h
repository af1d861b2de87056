/* A key and a block: what the paper counts as one encryption. */

#ifndef BLOCK_H
#define BLOCK_H

#include "aes128.h"

void aes128_block(const uint8_t key[AES128_BYTES], const uint8_t text[AES128_BYTES],
                  uint8_t result[AES128_BYTES]);

#endif
