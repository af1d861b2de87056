/* The substitution and diffusion layers (RFC 5794, section 2.4). Each of the four S-boxes is an inversion in GF(2^8)
 * and an affine map, since x^247 is the eighth power, a linear map, of the inverse. */

#include "aria_inverse.h"
#include "aria_steps.h"
#include "wiping.h"

/* The affine maps of S1 and S2 (applied after the inversion), and of their inverses (applied before it): the image of
 * each bit of the argument, and the constant. */
static const uint8_t affine[4][9] = {
    {0x1f, 0x3e, 0x7c, 0xf8, 0xf1, 0xe3, 0xc7, 0x8f, 0x63},
    {0xac, 0xfd, 0xc6, 0x83, 0x26, 0xa7, 0xfb, 0x5f, 0xe2},
    {0x4a, 0x94, 0x29, 0x52, 0xa4, 0x49, 0x92, 0x25, 0x05},
    {0xd8, 0x38, 0x7a, 0xc1, 0x75, 0x52, 0xae, 0xe8, 0x2c},
};

/* Byte i of the result is the sum of the seven bytes i ^ j, where j are the hexadecimal digits of the entry for the
 * word of byte i. */
static const uint32_t diffusion[4] = {0x34689de, 0x146abcf, 0x25789cf, 0xeda7b50};

static uint32_t mapped(const uint8_t map[9], uint32_t a)
{
    uint32_t sum = map[8];
    for (unsigned bit = 0; bit < 8; bit++) {
        sum ^= *map++ & -(a >> bit & 1);
    }
    return sum;
}

uintptr_t ARIA(substitute)(uint8_t state[16], unsigned layer)
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned box = (i + 2 * layer) & 3;
        uint32_t a   = state[i];
        for (unsigned half = 0; half < 2; half++) {
            a = box >> 1 == half ? inverse(a) : mapped(affine[box], a);
        }
        state[i] = (uint8_t)a;
    }
    return stack_depth();
}

uintptr_t ARIA(diffuse)(uint8_t state[16])
{
    uint8_t was[16];
    for (unsigned i = 0; i < 16; i++) {
        was[i] = state[i];
    }
    for (unsigned i = 0; i < 16; i++) {
        uint8_t sum = 0;
        for (uint32_t digits = diffusion[i / 4]; digits > 0; digits >>= 4) {
            sum ^= was[i ^ (digits & 15)];
        }
        state[i] = sum;
    }
    return stack_depth();
}
