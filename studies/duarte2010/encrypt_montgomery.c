/* x^y mod n by Montgomery multiplication of one word, R = 2^32 (P. L. Montgomery, "Modular multiplication
 * without trial division", 1985). n must be odd, as the product of two odd primes is. */

#include "doubling.h"
#include "../../primitives/rsa-toy/paper/rsa_toy.h"

/* -1 / n mod 2^32 by Newton's iteration: the start value is correct to 3 bits, and each step doubles their number. */
static uint32_t negative_inverse(uint32_t n)
{
    uint32_t inverse = n;
    for (unsigned i = 0; i < 4; i++) {
        inverse *= 2 - n * inverse;
    }
    return 0u - inverse;
}

/* The Montgomery product a b / R mod n, for a and b below n. */
static uint32_t multiply(uint32_t a, uint32_t b, uint32_t n, uint32_t inverse)
{
    uint64_t product  = (uint64_t)a * b;
    uint64_t multiple = (uint64_t)((uint32_t)product * inverse) * n;
    /* The sum of the low words is 0 or R. */
    uint64_t sum = (product >> 32) + (multiple >> 32) + ((uint32_t)product != 0);
    return (uint32_t)(sum >= n ? sum - n : sum);
}

uint32_t rsa_toy_encrypt(uint32_t x, uint32_t y, uint32_t n)
{
    uint32_t inverse = negative_inverse(n);
    uint32_t result  = (0u - n) % n;
    for (unsigned i = 0; i < 32; i++) {
        x = doubled(x, n);
    }
    for (; y != 0; y >>= 1) {
        if (y & 1) {
            result = multiply(result, x, n, inverse);
        }
        x = multiply(x, x, n, inverse);
    }
    return multiply(result, 1, n, inverse);
}
