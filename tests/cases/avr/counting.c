/* The same as `step` of program.c if its initialised, its constant and its cleared data are what they should be;
 * products are left to the compiler's library where the core has none. */

#include <stdint.h>

uint16_t step(uint16_t value);

static const uint16_t    factors[] = {1, 3};
static volatile uint16_t calls     = 40;
static volatile uint16_t cleared;
static volatile uint8_t  second = 1;

uint16_t step(uint16_t value)
{
    calls++;
    if (++cleared + 40 != calls) {
        return 0;
    }
    return (uint16_t)(factors[second] * value + factors[0]);
}
