/* A round with one S-box table of bytes (RFC 3713, sections 2.3.1 and 2.4.1). */

#ifndef CAMELLIA_FEISTEL_H
#define CAMELLIA_FEISTEL_H

#include "bytes.h"
#include "camellia.h"

extern const uint8_t CAMELLIA(box)[256];

/* The S-boxes s1 to s4, highest byte first. */
static inline uint32_t camellia_substituted(uint32_t word)
{
    const uint8_t *box = CAMELLIA(box);
    uint32_t second = box[word >> 16 & 0xff];
    uint32_t third  = box[word >> 8 & 0xff];
    uint32_t fourth = box[(word << 1 | (word >> 7 & 1)) & 0xff];
    second = second << 1 | second >> 7;
    third  = third << 7 | third >> 1;
    return (uint32_t)box[word >> 24] << 24 | (second & 0xff) << 16 | (third & 0xff) << 8 | fourth;
}

/* Adds F of one half to the other. The right word uses the S-boxes of the left one, rotated by one byte. */
static inline void camellia_feistel(const uint32_t from[2], uint32_t to[2], uint32_t key_left,
                                    uint32_t key_right)
{
    uint32_t left  = camellia_substituted(from[0] ^ key_left);
    uint32_t right = camellia_substituted(rotr32(from[1] ^ key_right, 8));
    left ^= rotl32(right, 16);
    right = rotl32(right, 8) ^ rotl32(left, 16);
    left ^= rotr32(right, 8);
    to[0] ^= right ^ rotr32(left, 8);
    to[1] ^= left;
}

#endif
