/* Tables, and the bit swap of the initial permutation and of permuted choice 1. */

#ifndef DES_TABLES_H
#define DES_TABLES_H

#include "des.h"

#include "bytes.h"

extern const uint32_t DES_NAME(boxes)[8][64];
extern const uint32_t DES_NAME(choice)[8][128];

/* Swaps the bits of b under `mask` with those of a that are `places` bits higher. */
#define DES_EXCHANGE(a, b, places, mask)                  \
    {                                                     \
        uint32_t both = ((a) >> (places) ^ (b)) & (mask); \
        (b) ^= both;                                      \
        (a) ^= both << (places);                          \
    }

#endif
