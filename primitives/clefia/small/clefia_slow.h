/* The S-box S1 and the matrices M0 and M1 with one multiplication function (RFC 6114, sections 5.3 and 5.4): the S-box
 * is an inversion in GF(2^8) between two affine maps. */

#ifndef CLEFIA_SLOW_H
#define CLEFIA_SLOW_H

#include <stdint.h>

/* The affine maps before and after the inversion: the image of each bit of the argument, and the constant. */
static const uint8_t affine[2][9] = {
    {0x01, 0x29, 0x30, 0xc6, 0x6c, 0x58, 0xa6, 0x42, 0x25},
    {0xe3, 0x6e, 0xc5, 0x91, 0x25, 0x38, 0x8b, 0x47, 0x69},
};

/* The first rows of M0 and M1; the other rows have the same coefficients at indices that differ by an XOR with the row
 * number. */
static const uint8_t matrix[2][4] = {{1, 2, 4, 6}, {1, 8, 2, 10}};

/* The product in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
static uint32_t product(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned bit = 8; bit-- > 0;) {
        sum = (sum << 1 ^ (-(sum >> 7) & 0x11d)) ^ (-(b >> bit & 1) & a);
    }
    return sum;
}

/* The inverse as the power 254: six times a square and a product, and a last square. */
static uint32_t inverse(uint32_t a)
{
    uint32_t power = a;
    for (unsigned i = 0; i < 13; i++) {
        power = product(power, i & 1 ? a : power);
    }
    return power;
}

static uint32_t box1(uint32_t a)
{
    for (unsigned half = 0; half < 2; half++) {
        uint32_t sum = affine[half][8];
        for (unsigned bit = 0; bit < 8; bit++) {
            sum ^= affine[half][bit] & -(a >> bit & 1);
        }
        a = half == 0 ? inverse(sum) : sum;
    }
    return a;
}

static uint32_t multiplied(uint32_t word, unsigned second)
{
    uint32_t sum = 0;
    for (unsigned j = 0; j < 4; j++) {
        for (unsigned i = 0; i < 4; i++) {
            sum ^= product(word >> 8 * j & 0xff, matrix[second][i ^ j]) << 8 * i;
        }
    }
    return sum;
}

#endif
