/* Barriers that keep compilers from starting many rounds of SHA-512 at once, for which they lack registers: that costs
 * a fifth of the time, and memory. */

#ifndef SETTLE_H
#define SETTLE_H

#include <stdint.h>

/* Forces three values into registers at this point. */
#if defined(__GNUC__) && !defined(__AVR__)
#define KEEP(one, two, three) __asm__ volatile("" : "+r"(one), "+r"(two), "+r"(three)::"memory")
#else
#define KEEP(one, two, three) (void)0
#endif

/* Forces a 64-bit word and an address into registers at this point; nothing is loaded from the address before it. */
#define SETTLE(word, address)                                                                           \
    do {                                                                                                \
        uint32_t low = (uint32_t)(word), high = (uint32_t)((word) >> 32);                               \
        KEEP(low, high, address);                                                                       \
        (word) = (uint64_t)high << 32 | low;                                                            \
    } while (0)

#endif
