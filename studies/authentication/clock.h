/* Cycles since reset, as 64 bits. */

#ifndef CLOCK_H
#define CLOCK_H

#include "cocrypt/device.h"

/* The high half is read again behind the low one, in case that one has run over between. */
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
