/* The permutation of lanes in even bits, the lower half, and odd bits, as in "Keccak implementation
 * overview", section 2.1: a rotation of 64 bits is two of 32 bits. */

#include "bytes.h"
#include "keccak.h"

/* The constants of the rounds, interleaved. */
static const uint64_t constant[KECCAK_ROUNDS] = {
    0x0000000000000001, 0x0000008900000000, 0x8000008b00000000, 0x8000808000000000,
    0x0000008b00000001, 0x0000800000000001, 0x8000808800000001, 0x8000008200000001,
    0x0000000b00000000, 0x0000000a00000000, 0x0000808200000001, 0x0000800300000000,
    0x0000808b00000001, 0x8000000b00000001, 0x8000008a00000001, 0x8000008100000001,
    0x8000008100000000, 0x8000000800000000, 0x0000008300000000, 0x8000800300000000,
    0x8000808800000001, 0x8000008800000000, 0x0000800000000001, 0x8000808200000000,
};

static inline uint64_t turned(uint64_t lane, unsigned places)
{
    uint32_t even = (uint32_t)lane, odd = (uint32_t)(lane >> 32);
    if (places % 2 == 0) {
        return rotl32(even, places / 2) | (uint64_t)rotl32(odd, places / 2) << 32;
    }
    return rotl32(odd, (places + 1) / 2) | (uint64_t)rotl32(even, places / 2) << 32;
}

#define TURN(lane, places) turned(lane, places)

#include "round.h"
