/* Tables, and the initial permutation, which keys share with blocks. */

#ifndef DES_TABLES_H
#define DES_TABLES_H

#include "des.h"

#include "bytes.h"

extern const uint32_t DES_NAME(boxes)[8][64];
extern const uint32_t DES_NAME(choice)[8][128];

/* Exchanges bits of b under a mask for those of a that are so many places higher. */
#define DES_EXCHANGE(a, b, places, mask)                  \
    {                                                     \
        uint32_t both = ((a) >> (places) ^ (b)) & (mask); \
        (b) ^= both;                                      \
        (a) ^= both << (places);                          \
    }

#endif
