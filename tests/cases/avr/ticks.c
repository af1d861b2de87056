/* Ticks of the timer, whose handler is left open to the next one while it works: how often it ran, how deeply it
 * was nested, and what was printed of each. */

#include <stdint.h>

#include "cocrypt/device.h"

enum { TICKS = 12, PERIOD = 400, SOON = 90 };

volatile uint8_t ticks, depth, deepest;

static void next(uint16_t cycles)
{
    uint32_t then = device_read(COCRYPT_TIMER) + cycles;
    device_write(COCRYPT_TIMER + 12u, 0);
    device_write(COCRYPT_TIMER + 8u, then);
}

static void never(void)
{
    device_write(COCRYPT_TIMER + 8u, UINT32_MAX);
    device_write(COCRYPT_TIMER + 12u, UINT32_MAX);
}

void __vector_1(void) __attribute__((signal, used));

void __vector_1(void)
{
    if (++ticks == TICKS) {
        never();
        return;
    }
    if (++depth > deepest) {
        deepest = depth;
    }
    if (depth == 1) {
        next(SOON);
#ifdef NESTED
        __asm__ volatile("sei" ::: "memory");
        for (uint8_t tick = ticks; tick == ticks && ticks < TICKS;) {
        }
        __asm__ volatile("cli" ::: "memory");
#endif
    } else {
        next(PERIOD);
    }
    depth--;
}

int main(void)
{
    next(PERIOD);
    __asm__ volatile("sei" ::: "memory");
    uint16_t turns = 0;
    while (ticks < TICKS) {
        turns++;
    }
    __asm__ volatile("cli" ::: "memory");
    device_write(COCRYPT_CONSOLE, (uint8_t)('0' + deepest));
    return ticks == TICKS && depth == 0 && turns != 0 ? 0 : 1;
}
