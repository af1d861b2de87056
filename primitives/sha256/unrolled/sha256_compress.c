/* The compression function with eight rounds per iteration, in registers. */

#include <stdint.h>

static inline uint32_t right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

#define SUM0(x) (right(x, 2) ^ right(x, 13) ^ right(x, 22))
#define SUM1(x) (right(x, 6) ^ right(x, 11) ^ right(x, 25))
#define SIGMA0(x) (right(x, 7) ^ right(x, 18) ^ (x) >> 3)
#define SIGMA1(x) (right(x, 17) ^ right(x, 19) ^ (x) >> 10)

#include "rounds.h"

void sha256_compress(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    sha256_rounds(state, block);
}
