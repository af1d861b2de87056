/* Primes, by trial division: PrimeNum() in the paper. */

#include "rsa_toy.h"

static int is_prime(uint32_t number)
{
    for (uint32_t i = 2; i * i <= number; i++) {
        if (number % i == 0) {
            return 0;
        }
    }
    return number > 1;
}

uint32_t rsa_toy_prime(uint32_t from)
{
    while (!is_prime(from)) {
        from++;
    }
    return from;
}
