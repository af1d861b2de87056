/* The compression function with the instructions of Zknh.
 *
 * Source: RISC-V Cryptography Extensions, volume I, version 1.0.1, sha256sig0, sha256sig1, sha256sum0 and
 * sha256sum1. */

#ifdef __riscv

#include <stdint.h>

#define INSTRUCTION(name)                                                                              \
    static inline uint32_t name(uint32_t word)                                                         \
    {                                                                                                  \
        uint32_t result;                                                                               \
        __asm__(#name " %0, %1" : "=r"(result) : "r"(word));                                           \
        return result;                                                                                 \
    }

INSTRUCTION(sha256sum0)
INSTRUCTION(sha256sum1)
INSTRUCTION(sha256sig0)
INSTRUCTION(sha256sig1)

#define SUM0(x) sha256sum0(x)
#define SUM1(x) sha256sum1(x)
#define SIGMA0(x) sha256sig0(x)
#define SIGMA1(x) sha256sig1(x)

#include "../unrolled/rounds.h"

void sha256_compress(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    sha256_rounds(state, block);
}

#else

/* Other instruction sets do not have these instructions. */
typedef int not_here;

#endif
