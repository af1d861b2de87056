/* What the machine needs to know of MicroBlaze. */

#ifndef JAVA_PROCESSOR_H
#define JAVA_PROCESSOR_H

#include <stdint.h>

static inline uintptr_t java_c_stack_pointer(void)
{
    uintptr_t top;
    __asm__ volatile("addk %0, r1, r0" : "=r"(top));
    return top;
}

#endif
