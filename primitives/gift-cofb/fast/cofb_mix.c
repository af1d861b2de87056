/* The feedback function of COFB, by words for whole blocks (GIFT-COFB v1.1, section 2.4). */

#include "bytes.h"
#include "cofb.h"

static inline void take_words(uint32_t x[4], COFB *cofb, const uint8_t *text)
{
    uint8_t *result = cofb->result;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = load32_be(text + 4 * i), other = word ^ cofb->block[i];
        if (cofb->way != COFB_ABSORB) {
            store32_be(result + 4 * i, other);
            cofb->result += 4;
        }
        x[i] ^= cofb->way == COFB_OPEN ? other : word;
    }
}

static inline void take_bytes(uint32_t x[4], COFB *cofb, const uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t byte = text[i], other = byte ^ cofb_byte(cofb, i);
        if (cofb->way != COFB_ABSORB) {
            *cofb->result++ = (uint8_t)other;
        }
        x[i / 4] ^= (cofb->way == COFB_OPEN ? other : byte) << (24 - 8 * (i % 4));
    }
    x[size / 4] ^= (uint32_t)0x80 << (24 - 8 * (size % 4));
}

void cofb_mix(COFB *cofb, const uint8_t *text, size_t size)
{
    uint32_t x[4];
    cofb_feedback(x, cofb);
    if (size == 16) {
        take_words(x, cofb, text);
    } else {
        take_bytes(x, cofb, text, size);
    }
    for (unsigned i = 0; i < 4; i++) {
        cofb->block[i] = x[i];
    }
}
