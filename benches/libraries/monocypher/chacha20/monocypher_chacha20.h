/* What Monocypher's ChaCha20 is given with every call. */

#ifndef MONOCYPHER_CHACHA20_H
#define MONOCYPHER_CHACHA20_H

#include "monocypher.h"

typedef struct {
    uint8_t  key[32];
    uint8_t  nonce[12];
    uint32_t counter;
} MONOCYPHER_CHACHA20;

#endif
