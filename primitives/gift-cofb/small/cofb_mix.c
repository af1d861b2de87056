/* The feedback function of COFB, byte by byte (GIFT-COFB v1.1, section 2.4). */

#include "cofb.h"

void cofb_mix(COFB *cofb, const uint8_t *text, size_t size)
{
    uint32_t x[4];
    cofb_feedback(x, cofb);
    for (size_t i = 0; i < 16 && i <= size; i++) {
        unsigned byte = 0x80;
        if (i < size) {
            byte           = text[i];
            unsigned other = byte ^ cofb_byte(cofb, i);
            if (cofb->way != COFB_ABSORB) {
                *cofb->result++ = (uint8_t)other;
            }
            byte = cofb->way == COFB_OPEN ? other : byte;
        }
        x[i / 4] ^= (uint32_t)byte << (24 - 8 * (i % 4));
    }
    for (unsigned i = 0; i < 4; i++) {
        cofb->block[i] = x[i];
    }
}
