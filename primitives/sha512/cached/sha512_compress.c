/* The compression function with a precomputed message schedule (FIPS 180-4, section 6.4.2), so that each of the two
 * loops fits a cache of 4 kB. */

#include "bytes.h"
#include "compress.h"
#include "settle.h"
#include "sha512_constants.h"
#include "wiping.h"

#define SUM0(x) (rotr64(x, 28) ^ rotr64(x, 34) ^ rotr64(x, 39))
#define SUM1(x) (rotr64(x, 14) ^ rotr64(x, 18) ^ rotr64(x, 41))
#define SIGMA0(x) (rotr64(x, 1) ^ rotr64(x, 8) ^ (x) >> 7)
#define SIGMA1(x) (rotr64(x, 19) ^ rotr64(x, 61) ^ (x) >> 6)

enum { AT_ONCE = 4 };

#define ROUND(a, b, c, d, e, f, g, h, i)                                                                \
    do {                                                                                                \
        (h) += k[i] + w[i] + SUM1(e) + ((g) ^ ((e) & ((f) ^ (g))));                                     \
        (d) += (h);                                                                                     \
        (h) += SUM0(a) + (((a) & (b)) | ((c) & ((a) | (b))));                                           \
        SETTLE(h, k);                                                                                   \
        SETTLE(d, k);                                                                                   \
    } while (0)

#define SWAP(x, y)                                                                                      \
    do {                                                                                                \
        uint64_t was = x;                                                                               \
        (x) = (y), (y) = was;                                                                           \
    } while (0)

/* The words of the schedule from the sixteenth on, two per iteration, with three of the previous words in registers. */
static NOINLINE uintptr_t schedule(uint64_t w[SHA512_ROUNDS])
{
    uint64_t first = w[0], second, even = w[14], odd = w[15];
    for (const uint64_t *end = w + SHA512_ROUNDS - SHA512_BLOCK; w < end; w += 2) {
        second = w[1];
        even   = first + SIGMA1(even) + w[9] + SIGMA0(second);
        SETTLE(even, w);
        w[16] = even;
        first = w[2];
        odd   = second + SIGMA1(odd) + w[10] + SIGMA0(first);
        SETTLE(odd, w);
        w[17] = odd;
    }
    return stack_depth();
}

uintptr_t SHA512_NAME(compress)(uint64_t state[SHA512_STATE], const uint8_t block[SHA512_BLOCK_BYTES])
{
    uintptr_t depth = stack_depth();
    uint64_t        all[SHA512_ROUNDS], *w = all;
    const uint64_t *k = constant;
    for (unsigned t = 0; t < SHA512_BLOCK; t++) {
        w[t] = load64_be(block + 8 * t);
    }
    depth = schedule(all);
    uint64_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint64_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (; w < all + SHA512_ROUNDS; w += AT_ONCE, k += AT_ONCE) {
        ROUND(a, b, c, d, e, f, g, h, 0);
        ROUND(h, a, b, c, d, e, f, g, 1);
        ROUND(g, h, a, b, c, d, e, f, 2);
        ROUND(f, g, h, a, b, c, d, e, 3);
        SWAP(a, e);
        SWAP(b, f);
        SWAP(c, g);
        SWAP(d, h);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    return depth;
}
