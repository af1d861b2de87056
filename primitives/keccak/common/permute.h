/* The permutation Keccak-f[1600] of a state, some lanes of which are kept inverted. */

#ifndef PERMUTE_H
#define PERMUTE_H

#include "keccak.h"

/* Lanes are counted along the rows. With these six inverted, most products of chi need no inversion. Where
 * inversions cost nothing, as part of "and not", an implementation's flags say that there are none. */
#ifndef INVERTED
#define INVERTED (0x2u | 0x4u | 0x100u | 0x1000u | 0x20000u | 0x100000u)
#endif

uintptr_t KECCAK_NAME(permute)(uint32_t words[2 * KECCAK_LANES]);

#endif
