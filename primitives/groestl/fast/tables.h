/* The tables, and the permutations that use them. */

#ifndef TABLES_H
#define TABLES_H

#include "groestl.h"

enum { GROESTL_WORDS = GROESTL_BLOCK / 4 };

extern const uint32_t GROESTL_NAME(table)[4][256][2];

/* The permutations P and Q. They return their stack depth. */
uintptr_t GROESTL_NAME(permute_p)(uint32_t state[GROESTL_WORDS]);
uintptr_t GROESTL_NAME(permute_q)(uint32_t state[GROESTL_WORDS]);

#endif
