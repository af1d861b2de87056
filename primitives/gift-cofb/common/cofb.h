/* The state of COFB between two blocks, shared by encryption and decryption (GIFT-COFB v1.1, section 2.4). */

#ifndef COFB_H
#define COFB_H

#include <stddef.h>

#include "gift.h"

/* How a text is processed; associated data produces no output. */
enum { COFB_ABSORB, COFB_SEAL, COFB_OPEN };

typedef struct {
    GIFT_KEYS keys;
    uint32_t  block[4]; /* Y, the result of the last encryption */
    uint32_t  mask[2];  /* L */
    uint8_t  *result;   /* output of the next block, if any */
    int       way;
} COFB;

/* Encrypts or decrypts; for decryption the size of the text excludes the tag. Returns 0, or -1 for a wrong tag. */
int cofb_crypt(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *ad, size_t ad_size,
               const uint8_t *text, size_t text_size, uint8_t *result, int way);

/* Combines the block with 16 bytes, or with fewer bytes and padding, as input of the next encryption. */
void cofb_mix(COFB *cofb, const uint8_t *text, size_t size);

/* The feedback G, with the mask. */
static inline void cofb_feedback(uint32_t x[4], const COFB *cofb)
{
    const uint32_t *y = cofb->block;
    x[0]              = y[2] ^ cofb->mask[0];
    x[1]              = y[3] ^ cofb->mask[1];
    x[2]              = y[0] << 1 | y[1] >> 31;
    x[3]              = y[1] << 1 | y[0] >> 31;
}

/* Byte `at`, below 16, of the block. */
static inline uint8_t cofb_byte(const COFB *cofb, size_t at)
{
    return (uint8_t)(cofb->block[at / 4] >> (24 - 8 * (at % 4)));
}

#endif
