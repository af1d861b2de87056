/* The S-box layer and the permutation layer on a block in two halves, which are bit-sliced in between. */

#ifndef LAYER_H
#define LAYER_H

#include "slices.h"

static inline void present_layer(uint32_t *high, uint32_t *low)
{
    uint32_t x[4];
    present_split(x, *high, *low);
    present_swap_inner(x);
    present_substitute(x);
    *low  = present_turned(present_joined(x[0], x[1]));
    *high = present_turned(present_joined(x[2], x[3]));
}

static inline void present_unlayer(uint32_t *high, uint32_t *low)
{
    uint32_t x[4];
    present_split(x, present_turned(*high), present_turned(*low));
    present_unsubstitute(x);
    present_swap_inner(x);
    *low  = present_joined(x[0], x[1]);
    *high = present_joined(x[2], x[3]);
}

#endif
