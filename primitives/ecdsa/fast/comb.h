/* Tables of sums of multiples of G for a comb. */

#ifndef COMB_H
#define COMB_H

#include "fast.h"

/* The teeth are COMB_SPACING columns apart, and belong to the tables in turn. */
enum {
    COMB_TEETH   = 5,
    COMB_TABLES  = 4,
    COMB_ENTRIES = 1 << (COMB_TEETH - 1),
    COMB_SPACING = BITS / (COMB_TEETH * COMB_TABLES) + 1,
    COMB_LENGTH  = COMB_TEETH * COMB_TABLES * COMB_SPACING
};

/* Entry i of table v is the sum of 2^(COMB_SPACING (v + COMB_TABLES t)) G over all teeth t, positive for the last one
 * and for set bits t of i, otherwise negative. */
#define comb ECDSA(comb)
extern const AFFINE comb[COMB_TABLES][COMB_ENTRIES];

#endif
