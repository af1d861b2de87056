/* A fixed-point Fourier transform of 128 points, with twiddle factors that it computes first. */
#include "kernel.h"

#define POINTS 128
#define ONE 32768
static int16_t cosine[POINTS], sine[POINTS];
static int32_t real[POINTS], imaginary[POINTS];

/* Turns a vector by the angle of one step again and again. */
static void factors(void)
{
    int64_t c = 32728, s = 1608, x = ONE - 1, y = 0;
    for (int i = 0; i < POINTS; i++) {
        cosine[i] = (int16_t)x;
        sine[i]   = (int16_t)y;
        int64_t turned = (x * c - y * s) / ONE;
        y = (x * s + y * c) / ONE;
        x = turned;
    }
}

static void transform(void)
{
    for (uint32_t i = 1, j = 0; i < POINTS; i++) {
        uint32_t bit = POINTS >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            int32_t r = real[i], m = imaginary[i];
            real[i] = real[j], imaginary[i] = imaginary[j];
            real[j] = r, imaginary[j] = m;
        }
    }
    for (int half = 1; half < POINTS; half *= 2)
        for (int first = 0; first < POINTS; first += 2 * half)
            for (int k = 0; k < half; k++) {
                int     at = first + k, other = at + half, turn = k * (POINTS / 2 / half);
                int32_t r = (real[other] * cosine[turn] + imaginary[other] * sine[turn]) >> 15;
                int32_t m = (imaginary[other] * cosine[turn] - real[other] * sine[turn]) >> 15;
                real[other]      = (real[at] - r) >> 1;
                imaginary[other] = (imaginary[at] - m) >> 1;
                real[at]         = (real[at] + r) >> 1;
                imaginary[at]    = (imaginary[at] + m) >> 1;
            }
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t seed = 5, sum = 0;
    factors();
    while (rounds--) {
        for (int i = 0; i < POINTS; i++) {
            seed         = seed * 1664525u + 1013904223u;
            real[i]      = (int16_t)(seed >> 16);
            imaginary[i] = 0;
        }
        transform();
        for (int i = 0; i < POINTS; i++)
            sum = sum * 13 + (uint32_t)(real[i] ^ imaginary[i]);
    }
    return sum;
}
