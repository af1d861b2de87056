/* Words with what is carried from one to the next. */

#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>

#if defined(__thumb__) && !defined(__thumb2__)

/* Here a product of words is a word: what is wanted is put together from products of halves. */

/* Has two words in registers at this point. Compilers would begin many products at once, for which they lack
 * registers; and where they see what a word is a sum of, they may compare to know its carry, and branch. */
#if defined(__GNUC__)
#define KEEP(one, two) __asm__ volatile("" : "+r"(one), "+r"(two))
#else
#define KEEP(one, two) (void)0
#endif

/* The same for a word of 64 bits. */
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

/* a - b - borrow, which becomes what is to be borrowed from the next word. */
static inline uint32_t subtract_borrow(uint32_t a, uint32_t b, uint32_t *borrow)
{
#if defined(__arm__)
    /* There is a flag for it. */
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
