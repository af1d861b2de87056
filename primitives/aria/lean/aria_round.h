/* The layers of a round on words in registers (RFC 5794, section 2.4). */

#ifndef ARIA_ROUND_H
#define ARIA_ROUND_H

#include "aria.h"
#include "aria_words.h"

extern const uint8_t ARIA(boxes)[4][256];

/* SL1 for an even `layer`, SL2 for an odd one, whose S-boxes are those of SL1 rotated by two bytes. */
static inline void aria_substitute(uint32_t state[4], unsigned layer)
{
    const uint8_t(*box)[256]   = ARIA(boxes) + 2 * (layer & 1);
    const uint8_t(*other)[256] = ARIA(boxes) + 2 * (~layer & 1);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = state[i];
        state[i] = (uint32_t)box[0][word >> 24] << 24 | (uint32_t)box[1][word >> 16 & 0xff] << 16 |
                   (uint32_t)other[0][word >> 8 & 0xff] << 8 | other[1][word & 0xff];
    }
}

/* The diffusion layer A, an involution. */
static inline void aria_diffuse_all(uint32_t state[4])
{
    for (unsigned i = 0; i < 4; i++) {
        state[i] = aria_mixed(state[i]);
    }
    aria_diffuse(state);
}

#endif
