/* The permutation of lanes in two halves. */

#include "bytes.h"
#include "keccak_constants.h"

#define TURN(lane, places) rotl64(lane, places)

#include "round.h"
