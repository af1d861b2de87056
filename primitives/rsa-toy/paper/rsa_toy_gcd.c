/* The greatest common divisor, by Euclid's algorithm: GCD() in the paper. */

#include "rsa_toy.h"

uint32_t rsa_toy_gcd(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a             = b;
        b             = rest;
    }
    return a;
}
