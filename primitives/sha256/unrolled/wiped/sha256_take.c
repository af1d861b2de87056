/* The compression function with eight rounds per iteration, with its stack depth as result. The wrapped function stays
 * as it is, since the study publishes its cycles. */

#include "sha256_take.h"
#include "wiping.h"

INLINED void studied(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES]);
#define sha256_compress studied
#include "../sha256_compress.c"
#undef sha256_compress

uintptr_t sha256_take(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    studied(state, block);
    return stack_depth();
}
