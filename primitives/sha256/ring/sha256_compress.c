/* The compression function with sixteen rounds per iteration (FIPS 180-4, section 6.2.2), for cores with few registers
 * such as ARM's. The message schedule is a ring of sixteen words at fixed stack offsets, each computed in the round
 * that uses it, so that no register points to it. */

#include "bytes.h"
#include "sha256_take.h"
#include "wiping.h"

#define SUM0(x) (rotr32(rotr32(rotr32(x, 9) ^ (x), 11) ^ (x), 2))
#define SUM1(x) (rotr32(rotr32(rotr32(x, 14) ^ (x), 5) ^ (x), 6))
#define SIGMA0(x) (rotr32(rotr32(x, 11) ^ (x), 7) ^ (x) >> 3)
#define SIGMA1(x) (rotr32(rotr32(x, 2) ^ (x), 17) ^ (x) >> 10)

enum { ROUNDS = 64, AT_ONCE = 16 };

/* Values are added in the order in which they become available, so that none is kept. b ^ c of a round is a ^ b of the
 * next one, so that the majority takes one more AND and XOR. */
#define ROUND(WORD, a, b, c, d, e, f, g, h, i)                                                         \
    do {                                                                                               \
        uint32_t word = WORD(i);                                                                       \
        uint32_t sum  = (h) + word + constant[i];                                                      \
        sum += SUM1(e);                                                                                \
        sum += (g) ^ ((e) & ((f) ^ (g)));                                                              \
        (d) += sum;                                                                                    \
        uint32_t changed = (a) ^ (b);                                                                  \
        (h)  = sum + SUM0(a) + ((b) ^ (changed & same));                                               \
        same = changed;                                                                                \
    } while (0)

#if defined(__ARM_FEATURE_UNALIGNED)

/* With unaligned loads, four bytes of the block are one load and one byte swap. */
#define FROM_BLOCK(i) (w[i] = load32_be(block + 4 * (i)))
#define PREPARE() (void)block

#else

/* Otherwise the ring is filled before, by words if the block is aligned. */
#define FROM_BLOCK(i) w[i]
#define PREPARE() fill(w, block)

static inline void fill(uint32_t w[AT_ONCE], const uint8_t *block)
{
    if (has_words(block)) {
        for (unsigned i = 0; i < AT_ONCE; i++) {
            w[i] = load_word_be(block + 4 * i);
        }
    } else {
        for (unsigned i = 0; i < AT_ONCE; i++) {
            w[i] = load32_be(block + 4 * i);
        }
    }
}

#endif

/* A word computed from those 16, 15, 7 and 2 before it. */
#define MADE(i)                                                                                        \
    (w[i] += SIGMA0(w[((i) + 1) % AT_ONCE]) + SIGMA1(w[((i) + 14) % AT_ONCE]) + w[((i) + 9) % AT_ONCE])

#define EIGHT_ROUNDS(WORD, i)                                                                          \
    do {                                                                                               \
        ROUND(WORD, a, b, c, d, e, f, g, h, i);                                                        \
        ROUND(WORD, h, a, b, c, d, e, f, g, (i) + 1);                                                  \
        ROUND(WORD, g, h, a, b, c, d, e, f, (i) + 2);                                                  \
        ROUND(WORD, f, g, h, a, b, c, d, e, (i) + 3);                                                  \
        ROUND(WORD, e, f, g, h, a, b, c, d, (i) + 4);                                                  \
        ROUND(WORD, d, e, f, g, h, a, b, c, (i) + 5);                                                  \
        ROUND(WORD, c, d, e, f, g, h, a, b, (i) + 6);                                                  \
        ROUND(WORD, b, c, d, e, f, g, h, a, (i) + 7);                                                  \
    } while (0)

uintptr_t sha256_take(uint32_t state[SHA256_WORDS], const uint8_t block[SHA256_BLOCK_BYTES])
{
    uint32_t        w[AT_ONCE];
    const uint32_t *constant = sha256_constant;
    uint32_t        a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t        e = state[4], f = state[5], g = state[6], h = state[7];
    uint32_t        same = b ^ c;
    PREPARE();
    EIGHT_ROUNDS(FROM_BLOCK, 0);
    EIGHT_ROUNDS(FROM_BLOCK, 8);
    constant += AT_ONCE;
    do {
        EIGHT_ROUNDS(MADE, 0);
        EIGHT_ROUNDS(MADE, 8);
        constant += AT_ONCE;
    } while (constant < sha256_constant + ROUNDS);
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    return stack_depth();
}
