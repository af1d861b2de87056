/* Measures time by SysTick, which counts 24 bits, and by its interrupt what does not fit them. */

#include <cocrypt/device.h>

#include "cortex_m.h"

#ifndef PERIOD
#define PERIOD (SYSTICK_LARGEST + 1u)
#endif
#ifndef STEPS
#define STEPS 9000000u
#endif
/* By which clock: the core's, or a slower one. */
#ifndef CLOCK
#define CLOCK SYSTICK_CLKSOURCE
#endif

static volatile uint32_t wraps;
volatile uint32_t        kept;

void SysTick_Handler(void);

void SysTick_Handler(void)
{
    wraps++;
}

/* Ticks since the start; read again where the interrupt came in between. */
static uint64_t now(void)
{
    uint32_t before, shown;
    do {
        before = wraps;
        shown  = SysTick->VAL;
    } while (before != wraps);
    return (uint64_t)(before + 1u) * PERIOD - shown;
}

/* What the device itself counts, right behind. */
__attribute__((noinline)) static uint32_t sampled(uint64_t *ticks)
{
    *ticks = now();
    return device_read(COCRYPT_COUNTER);
}

int main(void)
{
    uint64_t first, last;
    SysTick->LOAD = PERIOD - 1u;
    SysTick->VAL  = 0;
    SysTick->CTRL = CLOCK | SYSTICK_TICKINT | SYSTICK_ENABLE;
    uint32_t began = sampled(&first);
    kept           = work(STEPS);
    uint32_t ended = sampled(&last);
    SysTick->CTRL  = 0;
    print(last - first);
    print(ended - began);
    print(wraps);
    print(SCB->CPUID);
    return 0;
}
