/* Constant-time arithmetic modulo an odd number that is read from bytes.
 *
 * Products are Montgomery's: Koc, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms"
 * (1996). */

#include "bytes.h"
#include "lean.h"

/* Word i, from the lowest on, of a number of `words` words. */
static uint32_t word_at(const uint8_t *bytes, unsigned words, unsigned i)
{
    return load32_be(bytes + 4 * (words - 1 - i));
}

/* Newton iteration: the initial inverse is correct to 3 bits, and each step doubles that number. */
void RSA(begin)(NUMBER *own, const uint8_t *m, unsigned words, uint32_t *memory)
{
    uint32_t low = word_at(m, words, 0), inverse = low;
    for (unsigned i = 0; i < 4; i++) {
        inverse *= 2 - low * inverse;
    }
    *own = (NUMBER){m, words, 0u - inverse, memory, memory + words};
}

/* Final reduction: z = from + carry R, minus m unless that is negative. */
static void settle(NUMBER *own, const uint32_t *from, uint32_t carry)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        uint32_t mask = pass == 0 ? UINT32_MAX : 0u - carry, borrow = 0;
        for (unsigned i = 0; i < own->words; i++) {
            uint64_t rest = (uint64_t)from[i] - (word_at(own->m, own->words, i) & mask) - borrow;
            borrow        = (uint32_t)(rest >> 32) & 1;
            if (pass > 0) {
                own->z[i] = (uint32_t)rest;
            }
        }
        carry |= borrow ^ 1;
    }
}

void RSA(set)(NUMBER *own, const uint8_t *bytes, size_t size, unsigned shift)
{
    for (unsigned i = 0; i < own->words; i++) {
        own->z[i] = 0;
    }
    for (size_t bit = 0; bit < 8 * size + shift; bit++) {
        uint32_t carry = bit < 8 * size ? (uint32_t)bytes[bit / 8] >> (7 - bit % 8) & 1 : 0;
        for (unsigned i = 0; i < own->words; i++) {
            uint32_t word = own->z[i];
            own->z[i]     = word << 1 | carry;
            carry         = word >> 31;
        }
        settle(own, own->z, carry);
    }
}

/* For each word a of a factor, u = (u + a z + q m) / 2^32, where q makes the division exact; u[0] is not part of the
 * result. A null factor stands for z, and a mask of 0 for the factor 1. */
static void product(NUMBER *own, const uint8_t *factor, uint32_t mask)
{
    uint32_t *u     = own->u;
    unsigned  words = own->words;
    for (unsigned i = 0; i < words + 2; i++) {
        u[i] = 0;
    }
    for (unsigned i = 0; i < words; i++) {
        uint32_t one  = i == 0;
        uint32_t a    = factor ? (word_at(factor, words, i) & mask) | (one & ~mask) : own->z[i];
        uint32_t q    = (u[1] + a * own->z[0]) * own->inverse;
        uint64_t left = 0, right = 0;
        for (unsigned j = 0; j < words; j++) {
            left  = (left >> 32) + (uint64_t)a * own->z[j] + u[j + 1];
            right = (right >> 32) + (uint64_t)q * word_at(own->m, words, j) + (uint32_t)left;
            u[j]  = (uint32_t)right;
        }
        left         = (left >> 32) + (right >> 32) + u[words + 1];
        u[words]     = (uint32_t)left;
        u[words + 1] = (uint32_t)(left >> 32);
    }
    settle(own, u + 1, u[words + 1]);
}

void RSA(multiply)(NUMBER *own, const uint8_t *a, uint32_t mask)
{
    product(own, a, mask);
}

void RSA(square)(NUMBER *own)
{
    product(own, NULL, 0);
}

void RSA(subtract_from)(NUMBER *own, const uint8_t *a)
{
    uint32_t borrow = 0;
    uint64_t carry  = 0;
    for (unsigned i = 0; i < own->words; i++) {
        uint64_t rest = (uint64_t)word_at(a, own->words, i) - own->z[i] - borrow;
        own->z[i]     = (uint32_t)rest;
        borrow        = (uint32_t)(rest >> 32) & 1;
    }
    for (unsigned i = 0; i < own->words; i++) {
        carry += (uint64_t)own->z[i] + (word_at(own->m, own->words, i) & opaque(0u - borrow));
        own->z[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Each square divides by R once, and so does each product with x or, for a bit of 0, with 1: a start value of R^2 keeps
 * the factor R^2 throughout. */
void RSA(power)(NUMBER *own, const uint8_t *x, const uint8_t *e, size_t e_size, size_t first)
{
    static const uint8_t one = 1;
    RSA(set)(own, &one, 1, 64 * own->words);
    for (size_t bit = first; bit < 8 * e_size; bit++) {
        RSA(square)(own);
        RSA(multiply)(own, x, 0u - ((uint32_t)e[bit / 8] >> (7 - bit % 8) & 1));
    }
    RSA(multiply)(own, x, 0);
    RSA(multiply)(own, x, 0);
}

void RSA(store)(const NUMBER *own, uint8_t *bytes)
{
    for (unsigned i = own->words; i-- > 0; bytes += 4) {
        store32_be(bytes, own->z[i]);
    }
}
