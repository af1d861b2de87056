/* What BearSSL's ChaCha20 is given with every call. */

#ifndef BEARSSL_CHACHA20_H
#define BEARSSL_CHACHA20_H

#include "inner.h"

typedef struct {
    uint8_t  key[32];
    uint8_t  nonce[12];
    uint32_t counter;
} BEARSSL_CHACHA20;

#endif
