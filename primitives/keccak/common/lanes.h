/* Lanes of 64 bits in words, and barriers that limit register pressure. */

#ifndef LANES_H
#define LANES_H

#include <stdint.h>

/* FORGET is a barrier after which words are loaded again, because the state does not fit registers; KEEP holds a lane
 * in two registers there. */
#if defined(__GNUC__) && !defined(__AVR__)
#define FORGET() __asm__ volatile("" ::: "memory")
#define KEEP(low, high) __asm__ volatile("" : "+r"(low), "+r"(high)::"memory")
#else
#define FORGET() (void)0
#define KEEP(low, high) (void)0
#endif

/* Forces a lane into two registers at this point. */
#define SETTLE(lane)                                                                                    \
    do {                                                                                                \
        uint32_t low = (uint32_t)(lane), high = (uint32_t)((lane) >> 32);                               \
        KEEP(low, high);                                                                                \
        (lane) = (uint64_t)high << 32 | low;                                                            \
    } while (0)

static inline uint64_t get(const uint32_t *words, unsigned lane)
{
    return words[2 * lane] | (uint64_t)words[2 * lane + 1] << 32;
}

static inline void put(uint32_t *words, unsigned lane, uint64_t value)
{
    words[2 * lane]     = (uint32_t)value;
    words[2 * lane + 1] = (uint32_t)(value >> 32);
}

/* The parity of a column. */
static inline uint64_t column(const uint32_t *words, unsigned x)
{
    return get(words, x) ^ get(words, x + 5) ^ get(words, x + 10) ^ get(words, x + 15) ^ get(words, x + 20);
}

#endif
