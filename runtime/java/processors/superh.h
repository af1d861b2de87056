/* What the machine needs to know of SuperH. */

#ifndef JAVA_PROCESSOR_H
#define JAVA_PROCESSOR_H

#include <stdint.h>

static inline uintptr_t java_c_stack_pointer(void)
{
    uintptr_t top;
    __asm__ volatile("mov r15, %0" : "=r"(top));
    return top;
}

#endif
