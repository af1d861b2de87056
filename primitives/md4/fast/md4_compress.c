/* The compression function (RFC 1320, section 3.4), unrolled. */

#include "md4.h"

#include "words.h"
#include "wiping.h"

/* The auxiliary functions with their constants. M is G and J is H, with a subexpression in x and y that the previous
 * step computed from two unchanged words. */
#define F(b, c, d) (d ^ (b & (c ^ d)))
#define G(b, c, d) (((x = b & c) | (d & (y = b | c))) + 0x5a827999)
#define M(b, c, d) ((x | (b & y)) + 0x5a827999)
#define H(b, c, d) (((x = b ^ c) ^ d) + 0x6ed9eba1)
#define J(b, c, d) ((b ^ x) + 0x6ed9eba1)

#define STEP(mix, a, b, c, d, word, turn)                                           \
    a += mix(b, c, d) + m[word];                                                    \
    a = rotl32(a, turn);

uintptr_t md4_compress(uint32_t state[4], const uint8_t block[MD4_BLOCK])
{
    uint32_t    room[16], x, y;
    const WORD *m = words_of(block, room);
    uint32_t    a = state[0], b = state[1], c = state[2], d = state[3];
    STEP(F, a, b, c, d,  0,  3)
    STEP(F, d, a, b, c,  1,  7)
    STEP(F, c, d, a, b,  2, 11)
    STEP(F, b, c, d, a,  3, 19)
    STEP(F, a, b, c, d,  4,  3)
    STEP(F, d, a, b, c,  5,  7)
    STEP(F, c, d, a, b,  6, 11)
    STEP(F, b, c, d, a,  7, 19)
    STEP(F, a, b, c, d,  8,  3)
    STEP(F, d, a, b, c,  9,  7)
    STEP(F, c, d, a, b, 10, 11)
    STEP(F, b, c, d, a, 11, 19)
    STEP(F, a, b, c, d, 12,  3)
    STEP(F, d, a, b, c, 13,  7)
    STEP(F, c, d, a, b, 14, 11)
    STEP(F, b, c, d, a, 15, 19)
    STEP(G, a, b, c, d,  0,  3)
    STEP(M, d, a, b, c,  4,  5)
    STEP(G, c, d, a, b,  8,  9)
    STEP(M, b, c, d, a, 12, 13)
    STEP(G, a, b, c, d,  1,  3)
    STEP(M, d, a, b, c,  5,  5)
    STEP(G, c, d, a, b,  9,  9)
    STEP(M, b, c, d, a, 13, 13)
    STEP(G, a, b, c, d,  2,  3)
    STEP(M, d, a, b, c,  6,  5)
    STEP(G, c, d, a, b, 10,  9)
    STEP(M, b, c, d, a, 14, 13)
    STEP(G, a, b, c, d,  3,  3)
    STEP(M, d, a, b, c,  7,  5)
    STEP(G, c, d, a, b, 11,  9)
    STEP(M, b, c, d, a, 15, 13)
    STEP(H, a, b, c, d,  0,  3)
    STEP(J, d, a, b, c,  8,  9)
    STEP(H, c, d, a, b,  4, 11)
    STEP(J, b, c, d, a, 12, 15)
    STEP(H, a, b, c, d,  2,  3)
    STEP(J, d, a, b, c, 10,  9)
    STEP(H, c, d, a, b,  6, 11)
    STEP(J, b, c, d, a, 14, 15)
    STEP(H, a, b, c, d,  1,  3)
    STEP(J, d, a, b, c,  9,  9)
    STEP(H, c, d, a, b,  5, 11)
    STEP(J, b, c, d, a, 13, 15)
    STEP(H, a, b, c, d,  3,  3)
    STEP(J, d, a, b, c, 11,  9)
    STEP(H, c, d, a, b,  7, 11)
    STEP(J, b, c, d, a, 15, 15)

    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    return stack_depth();
}
