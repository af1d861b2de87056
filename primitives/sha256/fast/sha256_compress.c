/* The compression function with eight rounds per iteration, interleaved with the message schedule (FIPS 180-4, section
 * 6.2.2). The last eight words of the schedule are in registers, as many as there are for them; both loops together fit
 * a cache of 4 kB. */

#include "bytes.h"
#include "sha256_take.h"
#include "wiping.h"

#define SUM0(x) (rotr32(rotr32(rotr32(x, 9) ^ (x), 11) ^ (x), 2))
#define SUM1(x) (rotr32(rotr32(rotr32(x, 14) ^ (x), 5) ^ (x), 6))
#define SIGMA0(x) (rotr32(rotr32(x, 11) ^ (x), 7) ^ (x) >> 3)
#define SIGMA1(x) (rotr32(rotr32(x, 2) ^ (x), 17) ^ (x) >> 10)

enum { ROUNDS = 64, GIVEN = 16, AT_ONCE = 8 };

/* b ^ c of a round is a ^ b of the next one, so that the majority takes one more AND and XOR. */
#define ROUND(WORD, a, b, c, d, e, f, g, h, i)                                                         \
    do {                                                                                               \
        WORD(i);                                                                                       \
        uint32_t sum = (h) + SUM1(e) + ((g) ^ ((e) & ((f) ^ (g)))) + constant[i] + recent[i];          \
        (d) += sum;                                                                                    \
        uint32_t changed = (a) ^ (b);                                                                  \
        (h)  = sum + SUM0(a) + ((b) ^ (changed & same));                                               \
        same = changed;                                                                                \
    } while (0)

/* A word of the block, or one computed from those 16, 15, 7 and 2 before it; the first of these is read last. */
#define FROM_BLOCK(i) (w[i] = recent[i] = load32_be(block + 4 * (i)))
#define MADE(i)                                                                                        \
    do {                                                                                               \
        uint32_t next = w[(i) - 15];                                                                   \
        recent[i]     = last + SIGMA1(recent[((i) + 6) % 8]) + recent[((i) + 1) % 8] + SIGMA0(next);   \
        w[i]          = recent[i];                                                                     \
        last          = next;                                                                          \
    } while (0)

#define EIGHT_ROUNDS(WORD)                                                                             \
    do {                                                                                               \
        ROUND(WORD, a, b, c, d, e, f, g, h, 0);                                                        \
        ROUND(WORD, h, a, b, c, d, e, f, g, 1);                                                        \
        ROUND(WORD, g, h, a, b, c, d, e, f, 2);                                                        \
        ROUND(WORD, f, g, h, a, b, c, d, e, 3);                                                        \
        ROUND(WORD, e, f, g, h, a, b, c, d, 4);                                                        \
        ROUND(WORD, d, e, f, g, h, a, b, c, 5);                                                        \
        ROUND(WORD, c, d, e, f, g, h, a, b, 6);                                                        \
        ROUND(WORD, b, c, d, e, f, g, h, a, 7);                                                        \
        w += AT_ONCE, constant += AT_ONCE;                                                             \
    } while (0)

uintptr_t sha256_take(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    uint32_t all[ROUNDS], recent[AT_ONCE];
    /* Volatile: a compiler that reads words before they are needed runs out of registers. */
    volatile uint32_t *w        = all;
    const uint32_t    *constant = sha256_constant;
    uint32_t           a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t           e = state[4], f = state[5], g = state[6], h = state[7];
    uint32_t           same = b ^ c;
    for (; w < all + GIVEN; block += 4 * AT_ONCE) {
        EIGHT_ROUNDS(FROM_BLOCK);
    }
    for (uint32_t last = all[0]; w < all + ROUNDS;) {
        EIGHT_ROUNDS(MADE);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    return stack_depth();
}
