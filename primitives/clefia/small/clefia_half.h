/* Half a round of the generalized Feistel network (RFC 6114, section 4.1), in either direction. */

#ifndef CLEFIA_HALF_H
#define CLEFIA_HALF_H

#include <stdint.h>

/* Two halves are a round: the first one has F0, the second one F1. The words do not move; what moves is the
 * place where a round begins. So backwards is the same, with the highest number first. */
void clefia_half(uint32_t state[4], unsigned number, uint32_t key);

#endif
