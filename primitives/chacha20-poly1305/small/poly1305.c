/* Poly1305 in loops on limbs of 32 bits (RFC 8439, section 2.5). */

#include "poly1305.h"
#include "wiping.h"

void poly1305_init(POLY1305 *mac, const uint32_t key[POLY1305_KEY_WORDS])
{
    uint32_t clamp = 0x0fffffff;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = key[i] & clamp;
        mac->h[i]     = 0;
        mac->s[i]     = key[4 + i];
        mac->r[4 + i] = word;
        mac->r[i]     = (word >> 2) * 5;
        clamp         = 0x0ffffffc;
    }
    mac->h[4] = 0;
    mac->r[0] = 0;
}

__attribute__((noinline)) static void add(uint32_t *h, const uint32_t *words)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < POLY1305_WORDS; i++) {
        sum += (uint64_t)h[i] + words[i];
        h[i] = (uint32_t)sum;
        sum >>= 32;
    }
}

/* Since 2^130 is 5 modulo the prime, products of weight 2^128 and more are folded; the lowest two bits of r1 to r3 are
 * 0. */
uintptr_t poly1305_block(POLY1305 *mac, const uint32_t block[POLY1305_WORDS])
{
    uint32_t h[POLY1305_WORDS];
    uint64_t sum = 0;
    add(mac->h, block);
    for (unsigned i = 0; i < POLY1305_WORDS; i++) {
        h[i] = mac->h[i];
    }
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < POLY1305_WORDS; j++) {
            sum += (uint64_t)h[j] * mac->r[4 + i - j];
        }
        mac->h[i] = (uint32_t)sum;
        sum >>= 32;
    }
    sum += (uint64_t)h[4] * mac->r[4];
    mac->h[4] = (uint32_t)sum & 3;
    h[0] = 5 * (uint32_t)(sum >> 2);
    h[1] = h[2] = h[3] = h[4] = 0;
    add(mac->h, h);
    return stack_depth();
}

uintptr_t poly1305_update(POLY1305 *mac, const uint8_t *data, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size > 0) {
        uint32_t block[POLY1305_WORDS];
        block[0] = block[1] = block[2] = block[3] = 0;
        block[4] = 1;
        for (unsigned i = 0; i < POLY1305_BLOCK_BYTES && size > 0; i++, size--) {
            block[i / 4] |= (uint32_t)*data++ << 8 * (i % 4);
        }
        depth = poly1305_block(mac, block);
    }
    return no_tail_call(depth);
}

void poly1305_final(POLY1305 *mac, uint8_t tag[POLY1305_TAG_BYTES])
{
    /* h is below 2^131. Conditional subtraction: h is reduced if h + 5 reaches 2^130. */
    uint64_t sum = 5;
    for (unsigned i = 0; i < 4; i++) {
        sum = (sum + mac->h[i]) >> 32;
    }
    sum = ((sum + mac->h[4]) >> 2) * 5;
    for (unsigned i = 0; i < 4; i++) {
        sum += (uint64_t)mac->h[i] + mac->s[i];
        store32_le(tag + 4 * i, (uint32_t)sum);
        sum >>= 32;
    }
}
