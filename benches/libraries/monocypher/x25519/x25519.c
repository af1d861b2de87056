/* Monocypher's X25519, in our order of arguments. */

#include "monocypher.h"

void x25519_public(const uint8_t secret[32], uint8_t public[32])
{
    crypto_x25519_public_key(public, secret);
}

int x25519_shared(const uint8_t secret[32], const uint8_t peer[32], uint8_t shared[32])
{
    uint8_t all = 0;

    crypto_x25519(shared, secret, peer);
    for (unsigned index = 0; index < 32; index++)
        all |= shared[index];
    return all ? 0 : -1;
}
