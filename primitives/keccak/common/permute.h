/* The permutation Keccak-f[1600] of a state, some lanes of which are kept inverted. */

#ifndef PERMUTE_H
#define PERMUTE_H

#include "keccak.h"

/* Lanes are counted along the rows. With these six inverted, most products of chi need no inversion. Where
 * inversions cost nothing, as part of "and not", an implementation's flags say that there are none. */
#ifndef INVERTED
#define INVERTED (1u << 1 | 1u << 2 | 1u << 8 | 1u << 12 | 1u << 17 | 1u << 20)
#endif

uintptr_t KECCAK_NAME(permute)(uint32_t words[2 * KECCAK_LANES]);

#endif
