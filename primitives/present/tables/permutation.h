/* The inverse permutation of a block in two halves, for places where no table combines it with the S-box. */

#ifndef PERMUTATION_H
#define PERMUTATION_H

#include "slices.h"

static inline void present_unpermute(uint32_t *high, uint32_t *low)
{
    uint32_t x[4];
    present_split(x, present_turned(*high), present_turned(*low));
    present_swap_inner(x);
    *low  = present_joined(x[0], x[1]);
    *high = present_joined(x[2], x[3]);
}

#endif
