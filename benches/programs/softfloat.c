/* Arithmetic of floating-point numbers by functions: a Mandelbrot set and a series. */
#include "kernel.h"

static uint32_t iterations(float a, float b)
{
    float    x = 0, y = 0;
    uint32_t count = 0;
    for (; count < 24 && x * x + y * y < 4.0f; count++) {
        float turned = x * x - y * y + a;
        y = 2.0f * x * y + b;
        x = turned;
    }
    return count;
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t sum = 0;
    while (rounds--) {
        for (int i = 0; i < 6; i++)
            sum = sum * 5 + iterations(-2.0f + 0.5f * (float)i, -1.0f + 0.25f * (float)(rounds & 7));
        double series = 0;
        for (int k = 1; k < 12; k++)
            series += (k & 1 ? 1.0 : -1.0) / (double)k;
        sum ^= (uint32_t)(series * 1e6);
    }
    return sum;
}
