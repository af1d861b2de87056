/* Adds a block to the checksum and the hash (RFC 1319, sections 3.2 and 3.4), four bytes of the state at a time. */

#include "md2.h"

#include "bytes.h"
#include "wiping.h"

/* Updates the byte of the state at bit `bits` of word `w`. */
#define NEXT(w, bits)                       \
    w ^= (uint32_t)md2_pi[t] << (bits);     \
    t = (w) >> (bits) & 255;

#define WORD(w) NEXT(w, 0) NEXT(w, 8) NEXT(w, 16) NEXT(w, 24)

static void checksum(MD2 *hash)
{
    unsigned last = hash->checksum[MD2_BLOCK - 1];
    for (unsigned i = 0; i < MD2_BLOCK; i++) {
        last = hash->checksum[i] ^= md2_pi[hash->state[MD2_BLOCK + i] ^ last];
    }
}

uintptr_t md2_compress(MD2 *hash)
{
    uint8_t *s = hash->state;
    uint32_t a = load32_le(s), b = load32_le(s + 4), c = load32_le(s + 8), d = load32_le(s + 12);
    uint32_t e = load32_le(s + 16), f = load32_le(s + 20), g = load32_le(s + 24), h = load32_le(s + 28);
    uint32_t i = a ^ e, j = b ^ f, k = c ^ g, l = d ^ h, t = 0;
    checksum(hash);
    for (unsigned round = 0; round < 18; round++) {
        WORD(a) WORD(b) WORD(c) WORD(d)
        WORD(e) WORD(f) WORD(g) WORD(h)
        WORD(i) WORD(j) WORD(k) WORD(l)
        t = (t + round) & 255;
    }
    store32_le(s, a);
    store32_le(s + 4, b);
    store32_le(s + 8, c);
    store32_le(s + 12, d);
    return stack_depth();
}
