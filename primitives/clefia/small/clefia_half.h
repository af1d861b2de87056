/* Half a round of the generalized Feistel network (RFC 6114, section 4.1), in either direction. */

#ifndef CLEFIA_HALF_H
#define CLEFIA_HALF_H

#include <stdint.h>

/* Applies half a round: F0 for an even `number`, F1 for an odd one. Instead of rotating the words, each round begins
 * one word further, so that the inverse is the same with the numbers in descending order. */
void clefia_half(uint32_t state[4], unsigned number, uint32_t key);

#endif
