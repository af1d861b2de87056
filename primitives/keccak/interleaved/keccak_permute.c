/* The permutation on bit-interleaved lanes, even bits in the lower half and odd bits in the upper one, as in "Keccak
 * implementation overview", section 2.1: a 64-bit rotation is two 32-bit rotations. */

#include "bytes.h"
#include "interleaved_constants.h"

static inline uint64_t turned(uint64_t lane, unsigned places)
{
    uint32_t even = (uint32_t)lane, odd = (uint32_t)(lane >> 32);
    if (places % 2 == 0) {
        return rotl32(even, places / 2) | (uint64_t)rotl32(odd, places / 2) << 32;
    }
    return rotl32(odd, (places + 1) / 2) | (uint64_t)rotl32(even, places / 2) << 32;
}

#define ROTATE(lane, places) turned(lane, places)

#include "round.h"
