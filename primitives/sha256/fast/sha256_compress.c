/* The compression of a block with sixteen rounds at a time, and the message schedule between them, all in
 * registers but the schedule's sixteen words. */

#include "bytes.h"
#include "sha256.h"

#define SUM0(x) (rotr32(rotr32(rotr32(x, 9) ^ (x), 11) ^ (x), 2))
#define SUM1(x) (rotr32(rotr32(rotr32(x, 14) ^ (x), 5) ^ (x), 6))
#define SIGMA0(x) (rotr32(rotr32(x, 11) ^ (x), 7) ^ (x) >> 3)
#define SIGMA1(x) (rotr32(rotr32(x, 2) ^ (x), 17) ^ (x) >> 10)

/* b ^ c of a round is a ^ b of the next one, so that the majority takes one more AND and XOR. */
#define ROUND(a, b, c, d, e, f, g, h, i, word)                                                        \
    do {                                                                                              \
        uint32_t sum = (h) + SUM1(e) + ((g) ^ ((e) & ((f) ^ (g)))) + constant[i] + (word);            \
        (d) += sum;                                                                                   \
        uint32_t changed = (a) ^ (b);                                                                 \
        (h)   = sum + SUM0(a) + ((b) ^ (changed & same));                                             \
        same  = changed;                                                                              \
    } while (0)
#define FIRST(i) (w[i] = load32_be(block + 4 * (i)))
#define NEXT(i) (w[i] += SIGMA1(w[((i) + 14) & 15]) + w[((i) + 9) & 15] + SIGMA0(w[((i) + 1) & 15]))

#define SIXTEEN(WORD)                                                                                 \
    do {                                                                                              \
        ROUND(a, b, c, d, e, f, g, h, 0, WORD(0));                                                    \
        ROUND(h, a, b, c, d, e, f, g, 1, WORD(1));                                                    \
        ROUND(g, h, a, b, c, d, e, f, 2, WORD(2));                                                    \
        ROUND(f, g, h, a, b, c, d, e, 3, WORD(3));                                                    \
        ROUND(e, f, g, h, a, b, c, d, 4, WORD(4));                                                    \
        ROUND(d, e, f, g, h, a, b, c, 5, WORD(5));                                                    \
        ROUND(c, d, e, f, g, h, a, b, 6, WORD(6));                                                    \
        ROUND(b, c, d, e, f, g, h, a, 7, WORD(7));                                                    \
        ROUND(a, b, c, d, e, f, g, h, 8, WORD(8));                                                    \
        ROUND(h, a, b, c, d, e, f, g, 9, WORD(9));                                                    \
        ROUND(g, h, a, b, c, d, e, f, 10, WORD(10));                                                  \
        ROUND(f, g, h, a, b, c, d, e, 11, WORD(11));                                                  \
        ROUND(e, f, g, h, a, b, c, d, 12, WORD(12));                                                  \
        ROUND(d, e, f, g, h, a, b, c, 13, WORD(13));                                                  \
        ROUND(c, d, e, f, g, h, a, b, 14, WORD(14));                                                  \
        ROUND(b, c, d, e, f, g, h, a, 15, WORD(15));                                                  \
    } while (0)

void sha256_compress(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    uint32_t        w[16];
    const uint32_t *constant = sha256_constant;
    uint32_t        a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t        e = state[4], f = state[5], g = state[6], h = state[7];
    uint32_t        same = b ^ c;
    SIXTEEN(FIRST);
    for (unsigned turn = 0; turn < 3; turn++) {
        constant += 16;
        SIXTEEN(NEXT);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}
