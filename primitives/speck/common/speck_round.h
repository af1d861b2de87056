/* The round of SPECK-64 and its inverse (section 4), on the paper's words x and y. The key schedule uses the same
 * round. */

#ifndef SPECK_ROUND_H
#define SPECK_ROUND_H

#include "bytes.h"

static inline void speck_round(uint32_t *x, uint32_t *y, uint32_t key)
{
    *x = (rotr32(*x, 8) + *y) ^ key;
    *y = rotl32(*y, 3) ^ *x;
}

static inline void speck_unround(uint32_t *x, uint32_t *y, uint32_t key)
{
    *y = rotr32(*y ^ *x, 3);
    *x = rotl32((*x ^ key) - *y, 8);
}

#endif
