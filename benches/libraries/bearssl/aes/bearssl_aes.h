/* Round keys as BearSSL's functions on blocks take them. */

#ifndef BEARSSL_AES_H
#define BEARSSL_AES_H

#include "inner.h"

typedef struct {
    uint32_t words[120]; /* the two-block code has each key twice */
    unsigned rounds;
} BEARSSL_AES;

/* BearSSL works in place. */
static inline void bearssl_copy(uint8_t result[16], const uint8_t text[16])
{
    if (result != text)
        memcpy(result, text, 16);
}

#endif
