/* What libsodium's ChaCha20 is given with every call. */

#ifndef LIBSODIUM_CHACHA20_H
#define LIBSODIUM_CHACHA20_H

#include <stdint.h>

typedef struct {
    uint8_t  key[32];
    uint8_t  nonce[12];
    uint32_t counter;
} LIBSODIUM_CHACHA20;

#endif
