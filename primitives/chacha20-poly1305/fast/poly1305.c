/* Poly1305 with limbs of 32 bits, sixteen products per block (RFC 8439, section 2.5). */

#include "poly1305.h"
#include "wiping.h"

void poly1305_init(POLY1305 *mac, const uint8_t key[POLY1305_KEY_BYTES])
{
    mac->r[0] = 0;
    mac->h[4] = 0;
    for (unsigned i = 0; i < 4; i++) {
        mac->h[i]     = 0;
        mac->r[4 + i] = load32_le(key + 4 * i) & (i == 0 ? 0x0fffffff : 0x0ffffffc);
        mac->s[i]     = load32_le(key + 16 + 4 * i);
    }
    for (unsigned i = 1; i < 4; i++) {
        mac->r[i] = (mac->r[4 + i] >> 2) * 5;
    }
}

static inline uint64_t product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

/* One access instead of four, for data with word alignment. */
typedef uint32_t __attribute__((may_alias)) ALIGNED;

static inline uint32_t load(const uint8_t *at, int aligned)
{
    return aligned ? *(const ALIGNED *)(const void *)at : load32_le(at);
}

#else

static inline uint32_t load(const uint8_t *at, int aligned)
{
    (void)aligned;
    return load32_le(at);
}

#endif

/* For each block, adds the block with a 1 appended, and multiplies by r. Since 2^130 is 5 modulo the prime and the
 * lowest two bits of r1 to r3 are 0, products of weight 2^128 count 5 / 4 times at weight 1: s1 to s3 are r1 to r3
 * times 5 / 4. Returns its stack depth. */
static inline uintptr_t add_blocks(POLY1305 *mac, const uint8_t *data, size_t size, int aligned)
{
    const uint32_t r0 = mac->r[4], r1 = mac->r[5], r2 = mac->r[6], r3 = mac->r[7];
    const uint32_t s1 = mac->r[1], s2 = mac->r[2], s3 = mac->r[3];
    uint32_t       h0 = mac->h[0], h1 = mac->h[1], h2 = mac->h[2], h3 = mac->h[3], h4 = mac->h[4];
    for (; size >= POLY1305_BLOCK_BYTES; size -= POLY1305_BLOCK_BYTES, data += POLY1305_BLOCK_BYTES) {
        uint64_t x0, x1, x2, x3, sum;
        sum = (uint64_t)h0 + load(data, aligned), h0 = (uint32_t)sum;
        sum = (sum >> 32) + h1 + load(data + 4, aligned), h1 = (uint32_t)sum;
        sum = (sum >> 32) + h2 + load(data + 8, aligned), h2 = (uint32_t)sum;
        sum = (sum >> 32) + h3 + load(data + 12, aligned), h3 = (uint32_t)sum;
        h4 += (uint32_t)(sum >> 32) + 1;

        /* h4 is so small that its products fit 32 bits. */
        x0 = product(h0, r0) + product(h1, s3) + product(h2, s2) + product(h3, s1);
        x1 = product(h0, r1) + product(h1, r0) + product(h2, s3) + product(h3, s2) + h4 * s1;
        x2 = product(h0, r2) + product(h1, r1) + product(h2, r0) + product(h3, s3) + h4 * s2;
        x3 = product(h0, r3) + product(h1, r2) + product(h2, r1) + product(h3, r0) + h4 * s3;

        x1 += x0 >> 32;
        x2 += x1 >> 32;
        x3 += x2 >> 32;
        h4 = h4 * r0 + (uint32_t)(x3 >> 32);
        sum = (uint64_t)(uint32_t)x0 + (h4 >> 2) * 5, h0 = (uint32_t)sum;
        sum = (sum >> 32) + (uint32_t)x1, h1 = (uint32_t)sum;
        sum = (sum >> 32) + (uint32_t)x2, h2 = (uint32_t)sum;
        sum = (sum >> 32) + (uint32_t)x3, h3 = (uint32_t)sum;
        h4 = (h4 & 3) + (uint32_t)(sum >> 32);
    }
    mac->h[0] = h0, mac->h[1] = h1, mac->h[2] = h2, mac->h[3] = h3, mac->h[4] = h4;
    return stack_depth();
}

uintptr_t poly1305_update(POLY1305 *mac, const uint8_t *data, size_t size)
{
    size_t    rest = size % POLY1305_BLOCK_BYTES;
    uintptr_t depth;
    if (((uintptr_t)data & 3) == 0) {
        depth = add_blocks(mac, data, size, 1);
    } else {
        depth = add_blocks(mac, data, size, 0);
    }
    if (rest > 0) {
        uint8_t block[POLY1305_BLOCK_BYTES] = {0};
        for (size_t i = 0; i < rest; i++) {
            block[i] = data[size - rest + i];
        }
        depth = deeper(depth, add_blocks(mac, block, sizeof block, 0));
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
