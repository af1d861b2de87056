/* What implementations in two shares have in common; the exclusive or of both shares is the value. */

#ifndef COMMON_SHARES_H
#define COMMON_SHARES_H

#include <stdint.h>

/* A word, as it is: a compiler that sees through it may combine shares in another order, and a value is bare for an
 * instruction. */
static inline uint32_t kept(uint32_t word)
{
#if defined(__AVR__)
    /* No register of AVR holds 32 bits. */
    __asm__ volatile("" : "+m"(word));
#elif defined(__GNUC__)
    __asm__ volatile("" : "+r"(word));
#endif
    return word;
}

#endif
