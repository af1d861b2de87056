/* Numbers modulo an odd one. */

#include "fast.h"

/* Final reduction: z = a + carry R, minus m unless that is negative; overwrites t. */
static void settle(MODULUS *of, uint32_t *z, const uint32_t *a, uint32_t carry)
{
    uint32_t borrow = number_subtract(of->t, a, of->m, of->words);
    number_choose(z, a, of->t, carry - borrow, of->words);
}

/* z = 2 z mod m */
static void twice(MODULUS *of, uint32_t *z)
{
    uint32_t carry = 0;
    for (unsigned i = 0; i < of->words; i++) {
        uint32_t word = z[i];
        z[i]          = word << 1 | carry;
        carry         = word >> 31;
    }
    settle(of, z, z, carry);
}

void modulus_subtract(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    uint32_t mask  = 0 - number_subtract(z, a, b, of->words);
    uint64_t carry = 0;
    for (unsigned i = 0; i < of->words; i++) {
        carry += (uint64_t)z[i] + (of->m[i] & mask);
        z[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void modulus_reduce(MODULUS *of, uint32_t *z)
{
    uint32_t carry = 0;
    for (unsigned i = 0; i < of->words; i += BLOCK) {
        carry = number_clear(of->t + i, of->m, of->words, of->inverse, carry);
    }
    settle(of, z, of->t + of->words, carry);
}

void modulus_multiply(MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    number_multiply(of->t, a, b, of->words);
    modulus_reduce(of, z);
}

void modulus_square(MODULUS *of, uint32_t *z, const uint32_t *a)
{
    number_square(of->t, a, of->words);
    modulus_reduce(of, z);
}

/* one = R mod m, by doubling from a power of 2 that is not above m; square = R^2, the Montgomery form of R = 2^(words
 * 2^5). */
static void powers(MODULUS *of, unsigned bits)
{
    for (unsigned i = 0; i < of->words; i++) {
        of->one[i] = i == (bits - 1) / 32 ? (uint32_t)1 << (bits - 1) % 32 : 0;
    }
    settle(of, of->one, of->one, 0);
    for (; bits <= 32 * of->words; bits++) {
        twice(of, of->one);
    }
    number_copy(of->square, of->one, of->words);
    for (unsigned i = 0; i < of->words; i++) {
        twice(of, of->square);
    }
    for (unsigned i = 0; i < 5; i++) {
        modulus_square(of, of->square, of->square);
    }
}

/* Newton iteration: the initial inverse is correct to 3 bits, and each step doubles that number. */
void modulus_set(MODULUS *of, const uint8_t *bytes, unsigned words, unsigned bits)
{
    number_load(of->m, bytes, words);
    uint32_t low = of->m[0], inverse = low;
    for (unsigned i = 0; i < 4; i++) {
        inverse *= 2 - low * inverse;
    }
    of->words   = words;
    of->inverse = 0u - inverse;
    powers(of, bits);
}
