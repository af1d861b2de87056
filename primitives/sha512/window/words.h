/* The Sigma functions of SHA-512 (FIPS 180-4, section 4.1.3) on the halves of a word, for 32-bit cores. */

#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>

/* Compilers merge two shifts without common bits into a rotation, which takes instructions of its own. On ARM a shifted
 * operand of an XOR is free; HIDE keeps the compiler from seeing the intermediate values. */
#if defined(__GNUC__) && !defined(__AVR__)
#define HIDE(half) __asm__("" : "+r"(half))
#define HIDE_BOTH(low, high) __asm__("" : "+r"(low), "+r"(high))
#define FIX_BOTH(low, high) __asm__ volatile("" : "+r"(low), "+r"(high))
#else
#define HIDE(half) (void)0
#define HIDE_BOTH(low, high) (void)0
#define FIX_BOTH(low, high) (void)0
#endif

static inline uint32_t low_half(uint64_t word)
{
    return (uint32_t)word;
}

static inline uint32_t high_half(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static inline uint64_t joined(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* Fixes the order of additions: further words are added to this sum. */
static inline uint64_t hidden(uint64_t sum)
{
    uint32_t low = low_half(sum), high = high_half(sum);
    HIDE_BOTH(low, high);
    return joined(high, low);
}

/* XOR with a shifted half. */
static inline uint32_t xor_right(uint32_t sum, uint32_t half, unsigned places)
{
    sum ^= half >> places;
    HIDE(sum);
    return sum;
}

static inline uint32_t xor_left(uint32_t sum, uint32_t half, unsigned places)
{
    sum ^= half << places;
    HIDE(sum);
    return sum;
}

/* One half of a word XORed with its rotations by two amounts below 32. */
static inline uint32_t folded_half(uint32_t half, uint32_t other, unsigned one, unsigned two)
{
    uint32_t sum = xor_right(half, half, one);
    sum          = xor_left(sum, other, 32 - one);
    sum          = xor_right(sum, half, two);
    return xor_left(sum, other, 32 - two);
}

static inline uint64_t folded(uint64_t word, unsigned one, unsigned two)
{
    uint32_t low = low_half(word), high = high_half(word);
    uint32_t sum = folded_half(low, high, one, two);
    return joined(folded_half(high, low, one, two), sum);
}

/* Adds the rotated word. Its two parts have no common bits, so each is added separately, since a shifted operand of an
 * addition is free, too. Clang uses this only if the word is computed before the sum. */
static inline uint64_t add_rotated(uint64_t sum, uint64_t word, unsigned places)
{
    uint32_t low = low_half(word), high = high_half(word);
    uint32_t sum_low = low_half(sum), sum_high = high_half(sum);
    FIX_BOTH(low, high);
    FIX_BOTH(sum_low, sum_high);
    sum = hidden(joined(sum_high, sum_low) + joined(high >> places, low >> places));
    return hidden(sum + joined(low << (32 - places), high << (32 - places)));
}

/* Sigma functions: rotations by 28, 34 and 39, and by 14, 18 and 41 bits, without the last step, which add_rotated
 * performs. */
enum { SUM0_LAST = 28, SUM1_LAST = 14 };

static inline uint64_t sum0(uint64_t word)
{
    return folded(word, 34 - SUM0_LAST, 39 - SUM0_LAST);
}

static inline uint64_t sum1(uint64_t word)
{
    return folded(word, 18 - SUM1_LAST, 41 - SUM1_LAST);
}

/* Adds sigma0: rotations by 1 and 8 bits, and a shift by 7. */
static inline uint64_t add_sigma0(uint64_t sum, uint64_t word)
{
    uint32_t low = low_half(word), high = high_half(word);
    uint32_t sum_low = xor_right(low >> 1, low, 7), sum_high = xor_right(high >> 1, high, 7);
    sum_low  = xor_left(xor_left(sum_low, high, 31), high, 25);
    sum_high = xor_left(sum_high, low, 31);
    sum_low  = xor_left(xor_right(sum_low, low, 8), high, 24);
    sum_high = xor_left(xor_right(sum_high, high, 8), low, 24);
    return hidden(sum + joined(sum_high, sum_low));
}

/* Adds sigma1: rotations by 19 and 61 bits, and a shift by 6. */
static inline uint64_t add_sigma1(uint64_t sum, uint64_t word)
{
    uint32_t low = low_half(word), high = high_half(word);
    uint32_t sum_low = xor_right(low >> 6, low, 19), sum_high = xor_right(high >> 6, high, 19);
    sum_low  = xor_left(xor_left(sum_low, high, 26), high, 13);
    sum_high = xor_left(sum_high, low, 13);
    sum_low  = xor_left(xor_right(sum_low, high, 29), low, 3);
    sum_high = xor_left(xor_right(sum_high, low, 29), high, 3);
    return hidden(sum + joined(sum_high, sum_low));
}

#endif
