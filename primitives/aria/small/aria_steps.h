/* The layers of which rounds and key schedule consist (RFC 5794, sections 2.3 and 2.4). The functions return their
 * stack depth. */

#ifndef ARIA_STEPS_H
#define ARIA_STEPS_H

#include "aria.h"

/* The substitution layer, SL1 for an even `layer` and SL2 for an odd one. */
uintptr_t ARIA(substitute)(uint8_t state[16], unsigned layer);

/* The diffusion layer A, an involution. */
uintptr_t ARIA(diffuse)(uint8_t state[16]);

#endif
