/* The permutation Keccak-f[1600] of a state in which some lanes are stored inverted. */

#ifndef PERMUTE_H
#define PERMUTE_H

#include "keccak.h"

/* Lanes are numbered along the rows. With these six lanes inverted, most products of chi need no complement (lane
 * complementing). For instruction sets with an and-not instruction, an implementation's flags define INVERTED as 0. */
#ifndef INVERTED
#define INVERTED (0x2u | 0x4u | 0x100u | 0x1000u | 0x20000u | 0x100000u)
#endif

uintptr_t KECCAK_NAME(permute)(uint32_t words[2 * KECCAK_LANES]);

#endif
