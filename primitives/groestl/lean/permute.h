/* The permutations P and Q, in place. */

#ifndef PERMUTE_H
#define PERMUTE_H

#include "groestl.h"

enum { GROESTL_WORDS = GROESTL_BLOCK / 4 };

/* The index in memory of byte `byte` of a little-endian word array. */
static inline unsigned place(unsigned byte)
{
    const uint32_t one = 1;
    return *(const uint8_t *)&one ? byte : byte ^ 3;
}

/* P or, if all bits of `which` are set, Q. */
uintptr_t GROESTL_NAME(permute)(uint32_t state[GROESTL_WORDS], uint32_t which);

#endif
