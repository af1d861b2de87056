/* Key generation from two primes. */

#include "rsa_toy.h"

enum { LAST_PRIME = 65521, LEAST_PRIME = 5 };

/* d = 1 / e mod phi, which is (k phi + 1) / e for some k below e; e is small. */
static uint32_t inverted(uint32_t e, uint32_t phi)
{
    uint32_t k = 1;
    while ((k * (phi % e) + 1) % e != 0) {
        k++;
    }
    return k * (phi / e) + (k * (phi % e) + 1) / e;
}

int rsa_toy_keys(uint32_t p, uint32_t q, RSA_TOY_KEYS *keys)
{
    if (p > LAST_PRIME || q > LAST_PRIME) {
        return -1;
    }
    p = rsa_toy_prime(p);
    q = rsa_toy_prime(q);
    if (p == q || p < LEAST_PRIME || q < LEAST_PRIME) {
        return -1;
    }
    uint32_t phi = (p - 1) * (q - 1);
    keys->n      = p * q;
    keys->e      = 3;
    while (rsa_toy_gcd(keys->e, phi) != 1) {
        keys->e += 2;
    }
    keys->d = inverted(keys->e, phi);
    return 0;
}
