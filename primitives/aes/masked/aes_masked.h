/* The masks of a block, and the parts of the code. */

#ifndef AES_MASKED_H
#define AES_MASKED_H

#include "aes.h"
#include "bytes.h"
#include "wiping.h"

extern const uint8_t AES(sbox)[256];

/* Masks of the bytes that enter and leave the substitution, and of the rows before and behind MixColumns. */
typedef struct {
    uint8_t enter, leave, before[4], behind[4];
} MASKS;

static inline uint8_t aes_doubled(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

#endif
