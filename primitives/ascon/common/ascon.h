/* The state of Ascon and its permutations (NIST SP 800-232, sections 2 and 3). */

#ifndef ASCON_H
#define ASCON_H

#include "bytes.h"

enum { ASCON_WORDS = 10 };

/* S0 to S4, each as two halves, the lower first: byte i of the state is byte i % 4 of w[i / 4]. */
typedef struct {
    uint32_t w[ASCON_WORDS];
} ASCON_STATE;

/* Ascon-p[12] or Ascon-p[8]: the last `rounds` of twelve rounds. Returns its stack depth. */
uintptr_t ascon_permute(ASCON_STATE *state, unsigned rounds);

/* Adds a byte to byte i of the state, and returns the sum. */
static inline uint8_t ascon_add_byte(ASCON_STATE *state, size_t i, uint8_t byte)
{
    uint32_t *word = &state->w[i / 4];
    *word ^= (uint32_t)byte << 8 * (i % 4);
    return (uint8_t)(*word >> 8 * (i % 4));
}

#endif
