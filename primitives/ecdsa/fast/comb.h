/* Sums of multiples of G for a comb. */

#ifndef COMB_H
#define COMB_H

#include "fast.h"

/* A tooth for each COMB_SPACING columns, in turn for each of the tables. */
enum {
    COMB_TEETH   = 5,
    COMB_TABLES  = 4,
    COMB_ENTRIES = 1 << (COMB_TEETH - 1),
    COMB_SPACING = BITS / (COMB_TEETH * COMB_TABLES) + 1,
    COMB_LENGTH  = COMB_TEETH * COMB_TABLES * COMB_SPACING
};

/* Entry i of table v is the sum of 2^(COMB_SPACING (v + COMB_TABLES t)) G for all teeth t, with plus for the
 * last one and where bit t of i is 1, otherwise minus. */
#define comb ECDSA(comb)
extern const AFFINE comb[COMB_TABLES][COMB_ENTRIES];

#endif
