/* libsodium's X25519, in our order of arguments. */

#include "scalarmult_curve25519.h"

extern struct crypto_scalarmult_curve25519_implementation crypto_scalarmult_curve25519_ref10_implementation;

void x25519_public(const unsigned char secret[32], unsigned char public[32])
{
    crypto_scalarmult_curve25519_ref10_implementation.mult_base(public, secret);
}

int x25519_shared(const unsigned char secret[32], const unsigned char peer[32], unsigned char shared[32])
{
    unsigned char all = 0;

    if (crypto_scalarmult_curve25519_ref10_implementation.mult(shared, secret, peer) != 0)
        return -1;
    for (unsigned index = 0; index < 32; index++)
        all |= shared[index];
    return all ? 0 : -1;
}
