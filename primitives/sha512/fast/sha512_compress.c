/* The compression function, sixteen rounds per iteration (FIPS 180-4, section 6.4.2): the working variables are renamed
 * instead of moved, and the message schedule is a ring of sixteen words. */

#include "bytes.h"
#include "compress.h"
#include "settle.h"
#include "sha512_constants.h"
#include "wiping.h"

#define SUM0(x) (rotr64(x, 28) ^ rotr64(x, 34) ^ rotr64(x, 39))
#define SUM1(x) (rotr64(x, 14) ^ rotr64(x, 18) ^ rotr64(x, 41))
#define SIGMA0(x) (rotr64(x, 1) ^ rotr64(x, 8) ^ (x) >> 7)
#define SIGMA1(x) (rotr64(x, 19) ^ rotr64(x, 61) ^ (x) >> 6)

#define ROUND(a, b, c, d, e, f, g, h, i)                                                                \
    do {                                                                                                \
        (h) += k[i] + w[i] + SUM1(e) + ((g) ^ ((e) & ((f) ^ (g))));                                     \
        (d) += (h);                                                                                     \
        (h) += SUM0(a) + (((a) & (b)) | ((c) & ((a) | (b))));                                           \
        SETTLE(h, k);                                                                                   \
        SETTLE(d, k);                                                                                   \
    } while (0)

#define EIGHT_ROUNDS(i)                                                                                 \
    do {                                                                                                \
        ROUND(a, b, c, d, e, f, g, h, (i) + 0);                                                         \
        ROUND(h, a, b, c, d, e, f, g, (i) + 1);                                                         \
        ROUND(g, h, a, b, c, d, e, f, (i) + 2);                                                         \
        ROUND(f, g, h, a, b, c, d, e, (i) + 3);                                                         \
        ROUND(e, f, g, h, a, b, c, d, (i) + 4);                                                         \
        ROUND(d, e, f, g, h, a, b, c, (i) + 5);                                                         \
        ROUND(c, d, e, f, g, h, a, b, (i) + 6);                                                         \
        ROUND(b, c, d, e, f, g, h, a, (i) + 7);                                                         \
    } while (0)

/* Computes word t of the schedule; the words t, t + 1, t + 14 and t + 15 are in variables. */
#define STEP(t)                                                                                         \
    do {                                                                                                \
        uint64_t next = w[((t) + 1) % 16];                                                              \
        now += w[((t) + 9) % 16] + SIGMA0(next);                                                        \
        now += SIGMA1(last_but_one);                                                                    \
        w[t] = now;                                                                                     \
        SETTLE(now, w);                                                                                 \
        last_but_one = last;                                                                            \
        last         = now;                                                                             \
        now          = next;                                                                            \
    } while (0)

/* The next sixteen words of the schedule. */
static NOINLINE uintptr_t schedule(uint64_t w[16])
{
    uint64_t now = w[0], last_but_one = w[14], last = w[15];
    STEP(0); STEP(1); STEP(2); STEP(3); STEP(4); STEP(5); STEP(6); STEP(7);
    STEP(8); STEP(9); STEP(10); STEP(11); STEP(12); STEP(13); STEP(14); STEP(15);
    return stack_depth();
}

uintptr_t SHA512_NAME(compress)(uint64_t state[SHA512_STATE], const uint8_t block[SHA512_BLOCK_BYTES])
{
    uintptr_t depth = stack_depth();
    uint64_t        w[16];
    const uint64_t *k = constant;
    uint64_t        a = state[0], b = state[1], c = state[2], d = state[3];
    uint64_t        e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned t = 0; t < 16; t++) {
        w[t] = load64_be(block + 8 * t);
    }
    for (;;) {
        EIGHT_ROUNDS(0);
        EIGHT_ROUNDS(8);
        k += 16;
        if (k == constant + SHA512_ROUNDS) {
            break;
        }
        depth = schedule(w);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    return depth;
}
