/* The compression function (FIPS 180-4, section 6.1.3), unrolled: after five rounds a to e have their initial roles
 * again, and the message schedule is sixteen words, which fit registers. */

#include "sha1_compress.h"

#include "bytes.h"
#include "wiping.h"

/* The functions of a round (section 4.1.1). */
#define CH(b, c, d)     (d ^ (b & (c ^ d)))
#define PARITY(b, c, d) (b ^ c ^ d)
#define MAJ(b, c, d)    ((b & c) | (d & (b | c)))

#define NEXT(t) rotl32(w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16] ^ w[t % 16], 1)
#define WORD(t) (w[t % 16] = t < 16 ? load32_be(block + 4 * (t % 16)) : NEXT(t))

/* Marks the end of a round for the compiler, which would otherwise compute the schedule ahead, and spill registers.
 * AVR and RL78 have too few of them. */
#if defined(__GNUC__) && !defined(__AVR__) && !defined(__RL78__)
#define SETTLE(a, b, c, d, e, w) __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(w))
#else
#define SETTLE(a, b, c, d, e, w)
#endif

#define ROUND(f, k, a, b, c, d, e, t)               \
    e += rotl32(a, 5) + f(b, c, d) + k + WORD((t)); \
    b = rotl32(b, 30);                              \
    SETTLE(a, b, c, d, e, w[(t) % 16]);

#define FIVE(f, k, t)                  \
    ROUND(f, k, a, b, c, d, e, t)      \
    ROUND(f, k, e, a, b, c, d, t + 1)  \
    ROUND(f, k, d, e, a, b, c, t + 2)  \
    ROUND(f, k, c, d, e, a, b, t + 3)  \
    ROUND(f, k, b, c, d, e, a, t + 4)

#define TWENTY(f, k, t)  \
    FIVE(f, k, t)        \
    FIVE(f, k, t + 5)    \
    FIVE(f, k, t + 10)   \
    FIVE(f, k, t + 15)

uintptr_t sha1_compress(uint32_t h[5], const uint8_t block[SHA1_BLOCK])
{
    uint32_t w[16];
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    TWENTY(CH, 0x5a827999, 0)
    TWENTY(PARITY, 0x6ed9eba1, 20)
    TWENTY(MAJ, 0x8f1bbcdc, 40)
    TWENTY(PARITY, 0xca62c1d6, 60)
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    return stack_depth();
}
