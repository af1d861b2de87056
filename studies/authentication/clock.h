/* The 64-bit cycle counter. */

#ifndef CLOCK_H
#define CLOCK_H

#include "cocrypt/device.h"

/* Returns the cycles since reset; reads the high half again after the low half, in case the low half overflowed. */
static inline uint64_t clock_cycles(void)
{
    uint32_t high  = device_read(COCRYPT_COUNTER + 4);
    uint32_t low   = device_read(COCRYPT_COUNTER);
    uint32_t again = device_read(COCRYPT_COUNTER + 4);
    if (again != high) {
        low = device_read(COCRYPT_COUNTER);
    }
    return (uint64_t)again << 32 | low;
}

#endif
