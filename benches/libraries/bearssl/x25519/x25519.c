/* BearSSL's Curve25519, which works in place; CURVE is one of its ways to code it. */

#include "inner.h"

void x25519_public(const uint8_t secret[32], uint8_t public[32])
{
    CURVE.mulgen(public, secret, 32, BR_EC_curve25519);
}

int x25519_shared(const uint8_t secret[32], const uint8_t peer[32], uint8_t shared[32])
{
    uint8_t all = 0;

    memmove(shared, peer, 32);
    CURVE.mul(shared, 32, secret, 32, BR_EC_curve25519);
    for (unsigned index = 0; index < 32; index++)
        all |= shared[index];
    return all ? 0 : -1;
}
