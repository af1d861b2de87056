/* Eight rounds that rename the working variables instead of moving them, with a message schedule in a ring of sixteen
 * words (FIPS 180-4, section 6.2.2). The including file defines the functions SUM0, SUM1, SIGMA0 and SIGMA1. */

#ifndef ROUNDS_H
#define ROUNDS_H

#include "sha256.h"

#define ROUND(a, b, c, d, e, f, g, h, i)                                                               \
    do {                                                                                               \
        uint32_t t1 = (h) + SUM1(e) + ((g) ^ ((e) & ((f) ^ (g)))) + constant[i] + w[(at) + (i)];       \
        (d) += t1;                                                                                     \
        (h) = t1 + SUM0(a) + (((a) & (b)) | ((c) & ((a) | (b))));                                      \
    } while (0)

static inline void sha256_schedule(uint32_t w[16])
{
    for (unsigned t = 0; t < 16; t++) {
        uint32_t before = w[(t + 1) % 16], behind = w[(t + 14) % 16];
        w[t] += SIGMA1(behind) + w[(t + 9) % 16] + SIGMA0(before);
    }
}

static inline void sha256_rounds(uint32_t state[SHA256_WORDS], const uint8_t *block)
{
    uint32_t        w[16];
    const uint32_t *constant = sha256_constant;
    uint32_t        a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t        e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned t = 0; t < 16; t++) {
        w[t] = sha256_load(block + 4 * t);
    }
    for (unsigned t = 0; t < 64; t += 8) {
        unsigned at = t % 16;
        if (t > 0 && at == 0) {
            sha256_schedule(w);
        }
        ROUND(a, b, c, d, e, f, g, h, 0);
        ROUND(h, a, b, c, d, e, f, g, 1);
        ROUND(g, h, a, b, c, d, e, f, 2);
        ROUND(f, g, h, a, b, c, d, e, 3);
        ROUND(e, f, g, h, a, b, c, d, 4);
        ROUND(d, e, f, g, h, a, b, c, 5);
        ROUND(c, d, e, f, g, h, a, b, 6);
        ROUND(b, c, d, e, f, g, h, a, 7);
        constant += 8;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

#endif
