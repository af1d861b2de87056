/* The permutations P and Q, in place. */

#ifndef PERMUTE_H
#define PERMUTE_H

#include "groestl.h"

enum { GROESTL_WORDS = GROESTL_BLOCK / 4 };

/* Where a byte of words stands in memory. */
static inline unsigned place(unsigned byte)
{
    const uint32_t one = 1;
    return *(const uint8_t *)&one ? byte : byte ^ 3;
}

/* P, or with all bits of `which` set Q. */
uintptr_t GROESTL_NAME(permute)(uint32_t state[GROESTL_WORDS], uint32_t which);

#endif
