/* Poly1305 with only r and the accumulator in memory (RFC 8439, section 2.5). */

#include "poly1305.h"
#include "wiping.h"

void poly1305_init(POLY1305 *mac, const uint32_t r[POLY1305_KEY_WORDS])
{
    uint32_t clamp = 0x0fffffff;
    for (unsigned i = 0; i < POLY1305_KEY_WORDS; i++) {
        mac->h[i] = 0;
        mac->r[i] = r[i] & clamp;
        clamp     = 0x0ffffffc;
    }
    mac->h[4] = 0;
}

static inline uint64_t product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

/* Since 2^130 is 5 modulo the prime, products of weight 2^128 and more are folded; the lowest two bits of r1 to r3 are
 * 0. */
static NOINLINE uintptr_t multiply(POLY1305 *mac)
{
    const uint32_t h0 = mac->h[0], h1 = mac->h[1], h2 = mac->h[2], h3 = mac->h[3], h4 = mac->h[4];
    const uint32_t r0 = mac->r[0], r1 = mac->r[1], r2 = mac->r[2], r3 = mac->r[3];
    const uint32_t s1 = r1 + (r1 >> 2), s2 = r2 + (r2 >> 2), s3 = r3 + (r3 >> 2);
    uint64_t       sum;
    sum       = product(h0, r0) + product(h1, s3) + product(h2, s2) + product(h3, s1);
    mac->h[0] = (uint32_t)sum;
    sum       = (sum >> 32) + product(h0, r1) + product(h1, r0) + product(h2, s3) + product(h3, s2) + h4 * s1;
    mac->h[1] = (uint32_t)sum;
    sum       = (sum >> 32) + product(h0, r2) + product(h1, r1) + product(h2, r0) + product(h3, s3) + h4 * s2;
    mac->h[2] = (uint32_t)sum;
    sum       = (sum >> 32) + product(h0, r3) + product(h1, r2) + product(h2, r1) + product(h3, r0) + h4 * s3;
    mac->h[3] = (uint32_t)sum;
    sum       = (sum >> 32) + h4 * r0;
    mac->h[4] = (uint32_t)sum & 3;
    sum       = (sum >> 2) * 5;
    for (unsigned i = 0; i < POLY1305_KEY_WORDS; i++) {
        sum += mac->h[i];
        mac->h[i] = (uint32_t)sum;
        sum >>= 32;
    }
    mac->h[4] += (uint32_t)sum;
    return stack_depth();
}

uintptr_t poly1305_update(POLY1305 *mac, const uint8_t *data, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size > 0) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < POLY1305_KEY_WORDS; i++) {
            for (unsigned places = 0; places < 32 && size > 0; places += 8, size--) {
                sum += (uint64_t)*data++ << places;
            }
            sum += mac->h[i];
            mac->h[i] = (uint32_t)sum;
            sum >>= 32;
        }
        mac->h[4] += (uint32_t)sum + 1;
        depth = multiply(mac);
    }
    return no_tail_call(depth);
}

void poly1305_final(POLY1305 *mac, const uint32_t s[POLY1305_KEY_WORDS])
{
    /* h is below 2^131. Conditional subtraction: h is reduced if h + 5 reaches 2^130. */
    uint64_t sum = 5;
    for (unsigned i = 0; i < POLY1305_KEY_WORDS; i++) {
        sum = (sum + mac->h[i]) >> 32;
    }
    sum = ((sum + mac->h[4]) >> 2) * 5;
    for (unsigned i = 0; i < POLY1305_KEY_WORDS; i++) {
        sum += (uint64_t)mac->h[i] + s[i];
        mac->h[i] = (uint32_t)sum;
        sum >>= 32;
    }
}
