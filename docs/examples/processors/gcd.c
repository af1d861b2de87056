/* What gcd.fdl is about, from the program's side. */

#include <stdint.h>

static volatile uint32_t *const design = (volatile uint32_t *)0x80000000;

static uint32_t divisor(uint32_t a, uint32_t b)
{
    uint32_t result;
    design[0] = a;
    design[1] = b;
    design[2] = 1;
    while ((result = design[3]) == 0) {
    }
    design[2] = 0;
    while (design[3] != 0) {
    }
    return result;
}

int main(void)
{
    return !(divisor(12, 18) == 6 && divisor(1071, 462) == 21 && divisor(7, 7) == 7);
}
