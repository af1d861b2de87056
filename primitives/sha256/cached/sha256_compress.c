/* The compression function with a precomputed message schedule (FIPS 180-4, section 6.2.2), so that its code and its
 * callers fit a cache of 4 kB. */

#include "bytes.h"
#include "sha256_take.h"
#include "wiping.h"

/* Right shifts and left shifts are summed separately: a rotation would wait for two shifts. */
#define SUM0(x) ((((x) >> 9 ^ (x)) >> 11 ^ (x)) >> 2 ^ (((x) << 11 ^ (x)) << 9 ^ (x)) << 10)
#define SUM1(x) ((((x) >> 14 ^ (x)) >> 5 ^ (x)) >> 6 ^ (((x) << 5 ^ (x)) << 14 ^ (x)) << 7)
#define SIGMA0(x) ((((x) >> 11 ^ (x)) >> 4 ^ (x)) >> 3 ^ ((x) << 11 ^ (x)) << 14)
#define SIGMA1(x) ((((x) >> 2 ^ (x)) >> 7 ^ (x)) >> 10 ^ ((x) << 2 ^ (x)) << 13)

enum { ROUNDS = 64, GIVEN = 16, AT_ONCE = 8 };

/* b ^ c of a round is a ^ b of the next one, so that the majority takes one more AND and XOR. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                               \
    do {                                                                                               \
        uint32_t sum = (h) + SUM1(e) + ((g) ^ ((e) & ((f) ^ (g)))) + constant[i] + w[i];               \
        (d) += sum;                                                                                    \
        uint32_t changed = (a) ^ (b);                                                                  \
        (h)  = sum + SUM0(a) + ((b) ^ (changed & same));                                               \
        same = changed;                                                                                \
    } while (0)

/* The message schedule, two words per iteration, with four of the previous words in registers. */
static inline void schedule(uint32_t w[ROUNDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    for (unsigned t = 0; t < GIVEN; t++) {
        w[t] = load32_be(block + 4 * t);
    }
    uint32_t first = w[0], second, even = w[14], odd = w[15];
    for (uint32_t *end = w + ROUNDS - GIVEN; w < end; w += 2) {
        second = w[1];
        w[16] = even = first + SIGMA0(second) + w[9] + SIGMA1(even);
        first = w[2];
        w[17] = odd = second + SIGMA0(first) + w[10] + SIGMA1(odd);
    }
}

uintptr_t sha256_take(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    uint32_t        all[ROUNDS], *w = all;
    const uint32_t *constant = sha256_constant;
    uint32_t        a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t        e = state[4], f = state[5], g = state[6], h = state[7];
    uint32_t        same = b ^ c;
    schedule(all, block);
    for (; w < all + ROUNDS; w += AT_ONCE, constant += AT_ONCE) {
        ROUND(a, b, c, d, e, f, g, h, 0);
        ROUND(h, a, b, c, d, e, f, g, 1);
        ROUND(g, h, a, b, c, d, e, f, 2);
        ROUND(f, g, h, a, b, c, d, e, 3);
        ROUND(e, f, g, h, a, b, c, d, 4);
        ROUND(d, e, f, g, h, a, b, c, 5);
        ROUND(c, d, e, f, g, h, a, b, 6);
        ROUND(b, c, d, e, f, g, h, a, 7);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    return stack_depth();
}
