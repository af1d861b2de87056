/* Measures functions by the cycle counter of DWT, as benchmarks on Cortex-M3 and M4 do. */

#include "cortex_m.h"

typedef uint32_t (*function)(uint32_t);

volatile uint32_t kept;

__attribute__((noinline, aligned(8))) static uint32_t nothing(uint32_t value)
{
    return value;
}

__attribute__((noinline, aligned(8))) static uint32_t squares(uint32_t value)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 1000; i++) sum += value * i / (i + 1);
    return sum;
}

static void start(void)
{
    DEMCR |= DEMCR_TRCENA;
    DWT->CYCCNT = 0;
    DWT->CTRL |= DWT_CYCCNTENA;
}

/* One place for all calls, so that they differ in the function alone. */
__attribute__((noinline)) static uint32_t measured(function called, uint32_t value)
{
    uint32_t before = DWT->CYCCNT;
    kept            = called(value);
    uint32_t after  = DWT->CYCCNT;
    return after - before;
}

int main(void)
{
    static const function functions[] = {nothing, squares, nothing, work};
    start();
    for (uint32_t i = 0; i < 4; i++) print(measured(functions[i], 12345));
    DWT->CTRL &= ~DWT_CYCCNTENA;
    uint32_t stopped = DWT->CYCCNT;
    print(DWT->CYCCNT == stopped);
    return 0;
}
