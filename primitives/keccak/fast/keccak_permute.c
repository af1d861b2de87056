/* The permutation, with each lane in two 32-bit halves. */

#include "bytes.h"
#include "keccak_constants.h"

#define ROTATE(lane, places) rotl64(lane, places)

#include "round.h"
