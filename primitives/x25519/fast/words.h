/* Arithmetic on words with carries. */

#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>

#if defined(__thumb__) && !defined(__thumb2__)

/* This core has no long multiplication: the double-length product is composed of products of halves. */

/* Forces two words into registers at this point. Otherwise compilers start many products at once, and spill registers;
 * and where they know the operands of a sum, they may compare to get its carry, and branch. */
#if defined(__GNUC__)
#define KEEP(one, two) __asm__ volatile("" : "+r"(one), "+r"(two))
#else
#define KEEP(one, two) (void)0
#endif

/* The same for a 64-bit word. */
static inline uint64_t settled(uint64_t sum)
{
    uint32_t low = (uint32_t)sum, high = (uint32_t)(sum >> 32);
    KEEP(low, high);
    return (uint64_t)high << 32 | low;
}

/* a * b + word + carry. */
static inline uint64_t multiply_add(uint32_t a, uint32_t b, uint32_t word, uint32_t carry)
{
    uint32_t low = a & 0xffff, high = a >> 16;
    uint32_t one = low * (b >> 16), other = high * (b & 0xffff);
    uint64_t sum;
    low *= b & 0xffff;
    KEEP(low, other);
    high *= b >> 16;
    sum = settled(((uint64_t)high << 32 | low) + carry);
    sum = settled(sum + word);
    sum = settled(sum + ((uint64_t)one << 16));
    return settled(sum + ((uint64_t)other << 16));
}

#else

static inline uint64_t multiply_add(uint32_t a, uint32_t b, uint32_t word, uint32_t carry)
{
    return (uint64_t)a * b + word + carry;
}

#endif

/* Returns a - b - borrow, and updates the borrow. */
static inline uint32_t subtract_borrow(uint32_t a, uint32_t b, uint32_t *borrow)
{
#if defined(__arm__)
    /* The processor has a borrow flag. */
    uint64_t difference = (uint64_t)a - b - *borrow;
    *borrow             = 0 - (uint32_t)(difference >> 32);
    return (uint32_t)difference;
#else
    uint32_t rest = a - *borrow;
    *borrow       = (uint32_t)(a < *borrow) + (uint32_t)(rest < b);
    return rest - b;
#endif
}

#endif
