/* A program for avr-libc of which a function is replaced when only the file is left. */

#include <stdint.h>

uint16_t output[3];

static volatile uint16_t given[3] = {4, 9, 100};

__attribute__((noinline)) uint16_t step(uint16_t value)
{
    return (uint16_t)(3 * value + 1);
}

int main(void)
{
    for (uint8_t i = 0; i < 3; i++) {
        output[i] = step(given[i]);
    }
    for (uint8_t i = 0; i < 4; i++) {
        *(volatile uint8_t *)(EXIT_DEVICE + i) = 0;
    }
    return 0;
}
